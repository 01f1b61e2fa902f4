import { describe, expect, it } from 'vitest';
import { questionsIn, routineIn } from './routine.js';

describe('what whoever plans decides by itself [PM-2/16]', () => {
  it.each([
    'Do you want me to continue fixing the tests?',
    'Which test framework should I use?',
    'Should I run tests in parallel?',
    'Shall I proceed with the implementation?',
    'Which testing library do you prefer?',
    'How many developers should work on it?',
    'Should the groups be worked on one after the other?',
    'How should I fix the failing login test?',
    'Where should I put the new helper?',
    'Which folder structure do you want?',
    'What should I name the class?',
    'Tabs or spaces?',
    'Which linter shall be used?',
    'Should I refactor the parser?',
    'Which framework should we use for the page?',
    'Should I write unit tests?',
  ])('%s', (question) => {
    expect(routineIn(question)).toBeDefined();
  });

  it.each([
    'Which authentication method should I implement?',
    'Which Stripe environment should I configure?',
    'Which mode of the payment provider is meant?',
    'Which of the two shall the API be?',
    'JWT, OAuth, or session-based?',
    'Does GDPR, CCPA or HIPAA apply?',
    'Which compliance framework applies?',
    'How long are audit logs kept?',
    'Which connection string does the production database have?',
    'Which encryption algorithm is required for keys at rest?',
    'Should users set passwords?',
    'Who may see the names of customers?',
  ])('is not: %s', (question) => {
    expect(routineIn(question)).toBeUndefined();
  });
});

describe('questions in one text', () => {
  it.each([
    ['Which authentication method should I implement?', 1],
    ['JWT, OAuth, or session-based?', 1],
    ['Stateless, or should it keep sessions?', 1],
    ['The issue says both. Which of the two is meant?', 1],
    ['Which database? And which cache?', 2],
    ['Which database should be used, and should the API be paginated?', 2],
    ['Which region and which currency?', 2],
    ['Which region? Which currency? Which tax?', 3],
    ['', 0],
  ])('%j asks %i', (text, count) => {
    expect(questionsIn(text)).toBe(count);
  });
});
