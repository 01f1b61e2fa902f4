import { describe, expect, it } from 'vitest';
import { questionsIn, routineIn } from './routine.js';

describe('what a planning agent decides by itself [PM-2/16]', () => {
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
    'Is it ok to continue?',
    'Are you okay with me continuing?',
    'Continue with the tests?',
    'Proceed?',
    'Should I keep fixing the payment tests?',
    'Should the failing tests be fixed now?',
    'Do you approve of me starting development?',
    'Jest or Vitest?',
    'Which of these frameworks should be used for the tests?',
    'Which HTTP client library?',
    'Should I use SIMPLE or PARALLEL mode?',
    'Should I assign one developer or two?',
    'What approach should I take to fix the bug?',
    'How should the code be organised?',
    'Where should the new class live?',
    'What should the file be called?',
    'Should I use TypeScript or JavaScript?',
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
    'May we proceed with storing PII in the EU?',
    'May I continue to store card numbers unencrypted?',
    'Should we go ahead with production keys or test keys?',
    'Should we start charging in production mode?',
    'Should users be able to continue as guests?',
    'Should the app continue to support passwords?',
    'Should EU and US data be kept in parallel databases?',
    'Which key management strategy should be used?',
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
    ['Which database?Which cache?', 2],
    ['Which database, which cache?', 2],
    ['Which database & which cache?', 2],
    ['Which database, as well as which cache?', 2],
    ['Which mode, and, if production, which keys?', 2],
    ['Should it be encrypted? If so, which keys?', 2],
    ['Tell me the key. Tell me the endpoint.', 2],
    ['The issue says both. Please say which of the two is meant.', 1],
    ['Which of "what?" and "who?" is meant?', 1],
    ['Does it hold for the API, which is stateless?', 1],
    ['Really??', 1],
    ['', 0],
  ])('%j asks %i', (text, count) => {
    expect(questionsIn(text)).toBe(count);
  });
});
