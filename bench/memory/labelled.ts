/*
 * Sessions of notes, and questions that are phrased unlike them. The first note of a session answers its question; the
 * others stand around it. Hard negatives have the words of a question and answer something else.
 */

export interface LabelledSession {
  readonly question: string;
  readonly notes: readonly [answer: string, ...string[]];
  readonly negatives: readonly string[];
}

export const SESSIONS: readonly LabelledSession[] = [
  {
    question: 'How often do we try to deliver a webhook before giving up?',
    notes: [
      'Retries stop after five attempts, then the event goes to the dead letter table.',
      'Webhook delivery uses exponential backoff starting at two seconds.',
      'Added an index on events.next_attempt_at.',
    ],
    negatives: ['Webhook payloads are signed before delivery.', 'We give up on thumbnails larger than 20 MB.'],
  },
  {
    question: 'Which database should tests run against?',
    notes: [
      'Integration suites start PostgreSQL in a container; SQLite hid two constraint bugs.',
      'The test database is dropped after each file.',
      'Raised the pool size in CI to 4.',
    ],
    negatives: ['The analytics database runs on ClickHouse.', 'Tests of the parser need no fixtures.'],
  },
  {
    question: 'How long does a login stay valid?',
    notes: [
      'Access tokens expire after 15 minutes and refresh tokens after 30 days.',
      'Sessions are revoked when the password changes.',
      'The login form remembers the user name.',
    ],
    negatives: ['Login attempts are limited to ten per minute.', 'A valid certificate is required for staging.'],
  },
  {
    question: 'Why can two people not edit the same invoice at once?',
    notes: [
      'Invoices carry a revision; a stale write is refused with CONFLICT.',
      'Optimistic locking was chosen over row locks for billing.',
      'The form reloads after a conflict.',
    ],
    negatives: ['Two people must approve a refund.', 'The invoice PDF is rendered once.'],
  },
  {
    question: 'Where are uploaded pictures stored?',
    notes: [
      'Media objects live in the S3 bucket shop-media under their content hash.',
      'Uploads go through a presigned URL, never through the API.',
      'Pictures are resized by a worker.',
    ],
    negatives: ['Stored procedures were removed from the schema.', 'The picture of an avatar is optional.'],
  },
  {
    question: 'What made the nightly export time out?',
    notes: [
      'The report query scanned orders without the created_at index and ran for eleven minutes.',
      'Exports are streamed since March.',
      'The nightly job moved to 02:00.',
    ],
    negatives: ['Timeouts of the gateway are 30 seconds.', 'The export button is disabled for guests.'],
  },
  {
    question: 'Is it fine to log the address of a customer?',
    notes: [
      'Personal data never reaches the logs; only the customer id does.',
      'Privacy review asked for a filter in the logger.',
      'Log retention is two weeks.',
    ],
    negatives: ['The shipping address is validated on entry.', 'Customers may log in with a passkey.'],
  },
  {
    question: 'What time zone do we show?',
    notes: [
      'Instants are kept in UTC and formatted with the zone of the account.',
      'Intl.DateTimeFormat replaced moment.',
      'The calendar starts on Monday.',
    ],
    negatives: ['The zone file of the DNS moved.', 'We show prices with tax.'],
  },
  {
    question: 'How is money rounded?',
    notes: [
      'Amounts are integers of minor units; halves round to even at the line, not at the total.',
      'Currency conversion happens at checkout.',
      'A property test covers rounding.',
    ],
    negatives: ['Corners of buttons are rounded by 6 px.', 'Money transfers need a second factor.'],
  },
  {
    question: 'Can the queue lose a message when a worker crashes?',
    notes: [
      'Jobs are acknowledged after the transaction commits, so a killed worker only repeats one.',
      'Handlers must be idempotent.',
      'Worker count is two per core.',
    ],
    negatives: ['A crash report is sent to Sentry.', 'The message of the day is cached.'],
  },
  {
    question: 'What style guide do buttons follow?',
    notes: [
      'Controls use the tokens of the design system; no component sets its own colours.',
      'Primary actions are green.',
      'The Figma file is the source.',
    ],
    negatives: ['The Go style guide forbids panics.', 'Buttons send the form with Enter.'],
  },
  {
    question: 'Who may delete a project?',
    notes: [
      'Only owners can remove a workspace, after typing its name.',
      'Deletion is soft for 30 days.',
      'Admins may archive.',
    ],
    negatives: ['Project templates are read-only.', 'Deleted branches are pruned weekly.'],
  },
  {
    question: 'Why did we leave GraphQL?',
    notes: [
      'Moved the public API to REST because caching and rate limits per resource were impossible to reason about.',
      'The gateway keeps one schema for partners until June.',
      'OpenAPI is generated from the routes.',
    ],
    negatives: ['GraphQL playground is disabled in production.', 'We leave a comment on each generated file.'],
  },
  {
    question: 'How do services find each other?',
    notes: [
      'Names resolve through the mesh; hard-coded hosts are rejected by lint.',
      'Consul was replaced in the spring.',
      'mTLS is on between pods.',
    ],
    negatives: ['Find in page works with Ctrl-F.', 'The service worker caches the shell.'],
  },
  {
    question: 'What broke the build on Windows?',
    notes: [
      'Paths were joined with a slash in the bundler plugin; path.join fixed it.',
      'CI has a windows-latest job now.',
      'Line endings are normalised by git.',
    ],
    negatives: ['The build number is shown in the footer.', 'Windows of the chat can be resized.'],
  },
  {
    question: 'Do we support right-to-left languages?',
    notes: [
      'Layouts use logical properties so that Arabic and Hebrew mirror without extra CSS.',
      'Strings are in ICU format.',
      'Snapshots exist for he-IL.',
    ],
    negatives: ['Support answers within a day.', 'The right column collapses on phones.'],
  },
  {
    question: 'How large may a request be?',
    notes: [
      'Bodies above one MiB are refused with 413 before they are parsed.',
      'Uploads have their own endpoint.',
      'The proxy buffers to disk.',
    ],
    negatives: ['A large team needs a seat licence.', 'Requests for features go to the forum.'],
  },
  {
    question: 'When is the cache of prices thrown away?',
    notes: [
      'Price entries are invalidated by the catalogue event, with a ten minute ceiling.',
      'Redis holds them per currency.',
      'The warm-up script was dropped.',
    ],
    negatives: ['Cache headers of assets are immutable.', 'Prices are thrown in tests when negative.'],
  },
  {
    question: 'How does a new colleague get the secrets?',
    notes: [
      'Credentials come from the vault with a personal login; .env files are not shared.',
      'Onboarding takes one script.',
      'Rotation happens each quarter.',
    ],
    negatives: ['A colleague reviews every change.', 'Secrets of the trade are in the handbook.'],
  },
  {
    question: 'What happens to orders that were never paid?',
    notes: [
      'Unpaid baskets are cancelled after 48 hours and release their stock.',
      'A reminder mail goes out after a day.',
      'The state machine has the state expired.',
    ],
    negatives: ['Orders are sorted by date.', 'Paid plans include support.'],
  },
];
