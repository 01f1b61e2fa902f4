import { describe, expect, it } from 'vitest';
import { CONFIDENT, sameQuestion } from './similar-question.js';

const WHICH = { issueNumber: 42, topic: 'Database', question: 'Which one?' };

it('takes a short question for the same where every word of it and of its topic is [X-9/1]', () => {
  expect(sameQuestion(WHICH, { ...WHICH, topic: 'database', question: 'which one' })).toBeGreaterThanOrEqual(CONFIDENT);
});

it.each([
  ['another topic', { topic: 'Queue' }],
  ['another issue', { issueNumber: 43 }],
  ['another word', { question: 'Which two?' }],
])('takes it for another question with %s', (_, other) => {
  expect(sameQuestion(WHICH, { ...WHICH, ...other })).toBe(0);
});

it.each([
  ['How long are logs kept?', 'Audit logs', 'Access logs'],
  ['How many attempts are allowed?', 'Login', 'Password reset'],
  ['Should deleted rows be kept?', 'Orders', 'Users'],
])('is another question under a topic that names another thing: %s', (question, topic, otherTopic) => {
  expect(sameQuestion({ ...WHICH, question, topic }, { ...WHICH, question, topic: otherTopic })).toBeLessThan(
    CONFIDENT,
  );
});

it.each([
  ['How many results does a page return by default?', 'How many results does a page return at most?'],
  ['How many results does a page return?', 'How many pages of results are returned?'],
  ['Are deleted accounts removed from the tables too?', 'Are suspended accounts removed from the tables too?'],
  ['May the API log the address of a user?', 'Must the API log the address of a user?'],
  ['What timeout should calls to the tax service have?', 'What timeout should calls from the tax service have?'],
  ['May editors remove reviewers from a project?', 'May reviewers remove editors from a project?'],
  ['Should exports include archived orders?', 'Should exports include only archived orders?'],
  ['Should exports include archived orders?', 'Should exports still include archived orders?'],
  ['Should exports include archived orders?', 'Did exports include archived orders?'],
  ['Is the phone number required at signup?', 'Is the phone number optional at signup?'],
  ['Which queue should the notification service use?', 'Should the notification service use a queue?'],
  ['How are uploaded images cached?', 'Which uploaded images are cached?'],
  ['Where is the retry limit configured?', 'Is the retry limit configured?'],
  ['Can one club have several teams?', 'Can one team have several clubs?'],
  ['May a clerk book a trip without a visa?', 'May a clerk book a visa without a trip?'],
  ['Within how many days must a claim be filed?', 'Within how many hours must a claim be filed?'],
  ['Is v3 of the protocol frozen?', 'Is version 4 of the protocol frozen?'],
  ['May we call the tax service from the phone client?', 'May we call the phone client from the tax service?'],
  ['Do we use Redis for sessions?', 'Do we keep Redis for sessions?'],
  ['Which fields does the audit record have?', 'Which fields does the audit record require?'],
  ['Do users log in with a badge?', 'Do users keep a log in a badge?'],
  ['Must a courier not open a sealed crate?', 'Must a courier open a sealed crate?'],
  ['Is a courier forbidden to open a sealed crate?', 'Is a courier allowed to open a sealed crate?'],
  ['How many approvals are required before a merge?', 'How many approvals are allowed before a merge?'],
  ['How many uploads are allowed before the login?', 'How many uploads are allowed at the login?'],
  ['Who inspects a lease above 9 months?', 'Who needs a lease above 9 months?'],
  ['Can two nurses be assigned to the same ward?', 'Can two wards be assigned to the same nurse?'],
  ['How are parcels weighed?', 'Which parcels are weighed?'],
  ['How much light does a greenhouse get?', 'How much light does a greenhouse use?'],
  ['Which branch do we build at night?', 'Which branch do we publish at night?'],
  ['How is the fee applied to groups?', 'How is the fee shown to groups?'],
  ['Who approves a discount above 20%?', 'Who approves a discount below 20 percent?'],
  ['Do we close a lease after 30 minutes?', 'Do we close a lease after 30 seconds?'],
  ['Which service is the owner of the queue?', 'Which queue is the owner of the service?'],
  ['Do we close a case after ninety days?', 'Do we close a case after sixty days?'],
  ['Which plan is paid?', 'Which plan is free?'],
  ['Which service calls the gateway?', 'Which gateway calls the service?'],
  ['Can a rider belong to several teams?', 'Can a rider own several teams?'],
  ['Is a photo required for a pass?', 'Is a photo stored for a pass?'],
  ['May a photo be on a pass?', 'Is a photo required on a pass?'],
  ['How many concurrent sessions may a rider have?', 'How many concurrent riders may a session have?'],
  ['May one driver take several routes?', 'May several drivers take one route?'],
  ['Can the same pass be used twice by one rider?', 'Can the same pass be used twice by two riders?'],
])('does not take "%s" for "%s" [X-9/1]', (decided, question) => {
  const about = { issueNumber: 42, topic: '' };
  expect(sameQuestion({ ...about, question }, { ...about, question: decided })).toBeLessThan(CONFIDENT);
});

it.each([
  ['Who approves a discount above 20 percent?', 'Who has to sign off on a discount higher than 20%?'],
  ['Do we close a lease after 30 minutes?', 'Is a lease closed after 30 min?'],
  ['What date format does the CSV use?', 'Which format do dates have in the CSV file?'],
  ['Which library do we use for dates in the frontend?', 'What date library should the frontend use?'],
  ['Do we need an index on orders.customer_id?', 'Should orders.customer_id be indexed?'],
  ['How many times do we retry a failed webhook?', 'If a webhook fails, how often do we try again?'],
  ['How many concurrent sessions may a rider have?', 'How many sessions can a rider have at the same time?'],
  [
    'How is the total of a mixed-currency order computed?',
    'How do we compute the total of an order with mixed currencies?',
  ],
  ['Where is the rule documented, in the wiki or in the repo?', 'Should we document the rule in the wiki or the repo?'],
  ['What is the fallback language of the site?', 'Which language do we fall back to on the site?'],
  ['Do we close a case after 90 days?', 'After ninety days, do we close a case?'],
  ['Do we round delivery times up to 5 minutes?', 'Should we round delivery times up to five min?'],
  ['How are refunds of gift cards paid out?', 'How do we pay out a refund of a gift card?'],
  ['Which log level is the default in production?', 'What is the default log level in production?'],
  ['May a tenant change its slug after creation?', 'Is a tenant allowed to change its slug after it was created?'],
  ['Can a rider belong to several teams?', 'May a rider be a member of more than one team?'],
  ['How long do we keep database backups in production?', 'For how long are production database backups kept?'],
  ['Is the phone number required at signup?', 'At signup, is the phone number required?'],
  ['Who may switch on the flag new-checkout?', 'Who is allowed to turn on the flag new-checkout?'],
  ['How many login attempts are allowed for one IP?', 'What is the limit of login attempts for one IP?'],
  ['How many megabytes may an avatar have?', 'What is the maximum size of an avatar?'],
  ['Which Java version do we need at least?', 'What is the minimum Java version that we need?'],
  ['Is v3 of the protocol frozen?', 'Is version 3 of the protocol frozen?'],
  ['Is the field `zip_code` required?', 'Is `zip_code` mandatory?'],
  ['May a guest cancel a trip after it has begun?', 'Can a trip be cancelled by the guest once it was begun?'],
  ['Which team owns the ledger service?', 'Who owns the ledger service?'],
  ['What happens when the disk is full?', 'What should we do if the disk is full?'],
  ['Can one club have several teams?', 'May a club have more than one team?'],
  ['How long is a voucher valid?', 'After what time does a voucher expire?'],
  ['How are shares rounded at settlement?', 'How do we round shares when settling?'],
  ['Do we keep the event log in UTC or in local time?', 'Is the event log kept in UTC or in local time?'],
  ['Are comments sorted by age or by votes?', 'Do we sort comments by votes or by age?'],
  ['Should banned members stay listed in the index?', 'Are banned members supposed to stay listed in the index?'],
  ['Must a courier not open a sealed crate?', 'Is a courier forbidden to open a sealed crate?'],
  ['Who inspects a lease above 9 months?', 'Whose inspection is needed for a lease above 9 months?'],
  ['Where are the tables of the clinic kept?', "In which place are the clinic's tables kept?"],
  ['Can a tenant book a room without a deposit?', 'Is a tenant able to book a room without giving a deposit?'],
  ['Do couriers get a notification when a crate is lost?', 'Are couriers notified when a crate is lost?'],
  [
    'What happens to drafts when their author leaves the club?',
    'If the author of drafts leaves the club, what happens to those drafts?',
  ],
  ['How many failed scans are allowed before a gate is closed?', 'After how many failed scans is a gate closed?'],
  ['Does the PDF export support ligatures?', 'Do we support ligatures in the PDF export?'],
  ['Do we ship a Windows installer in 3.0?', 'Is a Windows installer shipped in version 3.0?'],
  ['What colour does a disabled button have?', 'Which color do disabled buttons have?'],
  ['Which branch do hotfixes start from?', 'From which branch do we start a hotfix?'],
  ['Are names of patients visible in the forum?', 'In the forum, are patient names visible?'],
  ['When does the nightly import start?', 'At what time does the nightly import begin?'],
  ['How do we represent an unknown birth date?', 'In what way do we represent unknown birth dates?'],
  ['Are parcels delivered on Sundays?', 'Do we deliver parcels on Sundays?'],
  ['Do we allow emoji in names?', 'Are emoji allowed in names?'],
  ['How are archive files named?', 'Which name do archive files get?'],
  ['How do we treat two riders with the same badge?', 'What happens to two riders with the same badge?'],
  ['How long do we retain claims?', 'hey, quick question: how long are claims stored, please?'],
  ['Which zone do the meters use?', 'In which zone are the meters?'],
  ['May clerks read sealed files?', 'Are sealed files readable by clerks?'],
  ["Can editors delete other people's comments?", 'May editors delete comments of other people?'],
])('takes "%s" for "%s" [X-9/1]', (decided, question) => {
  const about = { issueNumber: 42, topic: '' };
  expect(sameQuestion({ ...about, question }, { ...about, question: decided })).toBeGreaterThanOrEqual(CONFIDENT);
});

describe('a question that is asked again in a free wording', () => {
  const likeness = (question: string, decided: string, answer: string) =>
    sameQuestion({ issueNumber: 42, topic: '', question }, { issueNumber: 42, topic: '', question: decided, answer });

  it.each([
    [
      'Which database should the inventory service use?',
      'PostgreSQL 16.',
      'Is Postgres or MongoDB the database for inventory?',
    ],
    [
      'How often do we retry the payment webhook before we give up?',
      'Five times.',
      'Do we retry failed payment webhooks three or five times?',
    ],
    [
      'How long are password reset links valid?',
      '60 minutes.',
      'Should a reset link for the password work for one hour or a whole day?',
    ],
    [
      'Who is allowed to issue refunds above 500 euros?',
      'Only the finance lead.',
      'Is it just the finance lead who may refund more than \u20ac500?',
    ],
    [
      'Should the price calculation live in the backend or in the frontend?',
      'In the backend.',
      'Is it the backend that calculates prices?',
    ],
    ['Should the API use snake_case or camelCase for fields?', 'camelCase.', 'Are API fields camelCase?'],
    [
      'At which stock level do we send the low stock alert?',
      'Below 10 pieces.',
      "What's the threshold for low-stock alerts?",
    ],
    ['What is the maximum number of items in a cart?', '99.', 'Is there an upper limit on cart items?'],
    [
      'Is the checkout allowed to call the tax service synchronously?',
      'Yes.',
      'May the checkout make a synchronous call to the tax service?',
    ],
    [
      'How many times should the payment webhook be retried before we give up?',
      'Five times.',
      'I am writing the worker for the webhooks of the payment provider. After how many attempts do we stop trying?',
    ],
  ])('is the same: %s %s %s [X-9/1]', (decided, answer, question) => {
    expect(likeness(question, decided, answer)).toBeGreaterThanOrEqual(CONFIDENT);
  });

  it.each([
    ['Is MQTT or HTTP used between gateway and cloud?', 'MQTT.', 'Which port is used between gateway and cloud?'],
    ['Is the customer charged per device or per message?', 'Per device.', 'Which customer is charged per message?'],
    [
      'Is the customer charged per device or per message?',
      'Per device and month.',
      'Is the customer charged monthly or yearly?',
    ],
    [
      'Do we soft-delete customers or remove their rows?',
      'Soft delete.',
      'Do we soft-delete orders or remove their rows?',
    ],
    ['At which stock level do we send the low stock alert?', 'Below 10.', 'To whom do we send the low stock alert?'],
    [
      'Should a failed nightly import block the next one?',
      'No.',
      'Should a running nightly import block the next one?',
    ],
    [
      'Who may delete the archived reports of other tenants?',
      'Admins.',
      'Who may delete the reports of other tenants?',
    ],
    [
      'Which database do the nightly reports of the finance team use?',
      'A replica.',
      'Which database do the reports of the finance team use?',
    ],
    ['Is HL7 or FHIR used for the exchange with hospitals?', 'FHIR.', 'How often is data exchanged with hospitals?'],
  ])('is another one: %s %s %s [X-9/1]', (decided, answer, question) => {
    expect(likeness(question, decided, answer)).toBeLessThan(CONFIDENT);
  });
});

describe('the words of people', () => {
  const likeness = (question: string, decided: string, answer = '') =>
    sameQuestion(
      { issueNumber: 42, topic: 'operation', question },
      { issueNumber: 42, topic: 'operation', question: decided, answer },
    );

  it.each([
    ['How much RAM may a build job use at most?', 'What is the memory limit of the build job?'],
    ['Is it OK to pass the phone number to the courier?', 'May we send the phone number to the courier?'],
    ['When does the weekly report kick off?', 'At what time does the weekly report start?'],
    ['Whose approval does a rollout of the gateway need?', 'Who may approve a deployment of the gateway?'],
    ['What do we sign the releases with?', 'Which algorithm do we sign the releases with?'],
    ['VAT on gift cards: which payment account gets it?', 'Which payment account gets the VAT on gift cards?'],
  ])('say the same: %s %s', (question, decided) => {
    expect(likeness(question, decided)).toBeGreaterThanOrEqual(CONFIDENT);
    expect(likeness(decided, question)).toBeGreaterThanOrEqual(CONFIDENT);
  });

  it('name options that the answer chose from', () => {
    const decided = 'Which queue style should the new workers use?';
    const answer = 'Pull with leases; push is left to the old workers.';
    expect(likeness('Pull or push queue for the new workers?', decided, answer)).toBeGreaterThanOrEqual(CONFIDENT);
    expect(likeness('Pull or push queue for the new workers?', decided)).toBeLessThan(CONFIDENT);
    expect(likeness('Pull or push queue for the old importers?', decided, answer)).toBeLessThan(CONFIDENT);
  });

  it.each([
    ['How do we authenticate calls of partners?', 'How do we authorise calls of partners?'],
    ['What is the memory limit of the build job?', 'What is the disk limit of the build job?'],
    ['Which sort order do new lists use?', 'Which page style do new lists use?'],
    ['Who may approve a deployment of the gateway?', 'Who may roll back a deployment of the gateway?'],
  ])('ask something else: %s %s', (question, decided) => {
    expect(likeness(question, decided)).toBeLessThan(CONFIDENT);
  });
});
