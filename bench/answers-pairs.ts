/*
 * Decided questions, each with questions that ask the same in other words and with questions that only look like it. Groups
 * with an even place calibrate the matcher, those with an odd place are held out: the rules were not changed by them. Of
 * the groups that were written later, those of one list found faults that were mended, those of the other list none.
 */

export interface Group {
  readonly topic: string;
  readonly decided: string;
  readonly answer?: string;
  readonly same: readonly string[];
  readonly other: readonly string[];
}

const group = (topic: string, decided: string, same: readonly string[], other: readonly string[]): Group => ({
  topic,
  decided,
  same,
  other,
});

export const GROUPS: readonly Group[] = [
  group(
    'Session length',
    'How long does a session stay valid without activity?',
    [
      'After how long without activity does a session expire?',
      'What is the lifetime of an inactive session?',
      'How long is a session valid when there is no activity?',
    ],
    [
      'How long does an access token stay valid?',
      'How many sessions may a user have at once?',
      'Why does a session expire without activity?',
      'How long does a session stay valid without activity for admins?',
    ],
  ),
  group(
    'Database in production',
    'Which database do we use in production?',
    [
      'What database should be used in production?',
      'Which db does production use?',
      'Do we use PostgreSQL or MySQL as the database in production?',
    ],
    [
      'Which database do we use in CI?',
      'Which database driver version do we use in production?',
      'Where is the database in production hosted?',
      'Which database do we use for local development?',
    ],
  ),
  group(
    'Upload limit',
    'What is the maximum size of an uploaded file?',
    [
      'How large may an uploaded file be?',
      'Which size limit applies to an uploaded file?',
      'How big can a file upload be at most?',
    ],
    [
      'What is the minimum size of an uploaded file?',
      'What is the maximum size of a downloaded file?',
      'How many files may be uploaded at once?',
      'Which file types may be uploaded?',
    ],
  ),
  group(
    'Currency rounding',
    'How do we round amounts when converting currencies?',
    [
      'How are amounts rounded when currencies are converted?',
      'Which rounding applies to amounts in a currency conversion?',
      'What rounding do we use for converted currency amounts?',
    ],
    [
      'Which currencies do we convert amounts to?',
      'How often do we refresh the rates for converting currencies?',
      'How do we round hours when billing projects?',
      'Who pays the fee when converting currencies?',
    ],
  ),
  group(
    'Webhook retries',
    'How many times do we retry a webhook that fails?',
    [
      'How often is a failing webhook retried?',
      'How many retries does a failed webhook get?',
      'What is the number of attempts for a webhook that fails?',
    ],
    [
      'How long do we wait between retries of a webhook that fails?',
      'Do we retry a webhook that fails?',
      'How many webhooks may a customer register?',
      'Who is notified when a webhook fails?',
    ],
  ),
  group(
    'Error format',
    'Which format do error responses of the API have?',
    [
      'What is the format of API error responses?',
      'What structure do error responses of the API use?',
      'How are error responses of the API formatted?',
    ],
    [
      'Which format do success responses of the API have?',
      'Which status code do error responses of the API have for a missing field?',
      'Which language do error responses of the API have?',
      'Who reads the error responses of the API?',
    ],
  ),
  group(
    'Soft delete',
    'Do deleted customers stay in the table with a flag?',
    [
      'Are deleted customers kept in the table with a flag?',
      'Should deleted customers remain in the table with a flag?',
      'Do we keep deleted customers in the table and flag them?',
    ],
    [
      'Do archived orders stay in the table with a flag?',
      'How long do deleted customers stay in the table?',
      'Who may restore deleted customers?',
      'Do deleted suppliers stay in the table with a flag?',
    ],
  ),
  group(
    'Password rules',
    'What is the minimum length of a password?',
    [
      'How long must a password be at least?',
      'Which minimum length does a password have?',
      'How many characters does a password need at least?',
    ],
    [
      'What is the maximum length of a password?',
      'What is the minimum length of a username?',
      'How often must a password be changed?',
      'How long is a password reset link valid?',
    ],
  ),
  group(
    'Audit log retention',
    'How long do we keep audit logs?',
    [
      'For how long are audit logs retained?',
      'What is the retention of audit logs?',
      'How long must audit logs be stored?',
    ],
    [
      'How long do we keep access tokens?',
      'Where do we keep audit logs?',
      'Who may read audit logs?',
      'How long do we keep audit logs of test runs?',
    ],
  ),
  group(
    'Date format',
    'Which date format do API responses use?',
    [
      'What is the date format in API responses?',
      'In which format are dates returned in API responses?',
      'Which format do dates in API responses have?',
    ],
    [
      'Which date format do API requests use?',
      'Which date format do exported CSV files use?',
      'Which time zone do API responses use?',
      'Which number format do API responses use?',
    ],
  ),
  group(
    'Pagination',
    'Do lists use cursor or offset pagination?',
    [
      'Is pagination of lists by cursor or offset?',
      'Which pagination do lists use, cursor or offset?',
      'Should lists be paginated by cursor or by offset?',
    ],
    [
      'How many items does a page of a list have?',
      'In which order are lists sorted?',
      'Do lists show archived items?',
      'Do exports use cursor or offset pagination in CI?',
    ],
  ),
  group(
    'Cache of prices',
    'Do we cache the price list?',
    ['Is the price list cached?', 'Should the price list be cached?', 'Can we cache the price list?'],
    [
      'How long do we cache the price list?',
      'Do we cache the customer list?',
      'Who may edit the price list?',
      'Do we not cache the price list?',
    ],
  ),
  group(
    'Refund window',
    'Until when can an order be refunded?',
    [
      'How long can an order be refunded?',
      'For how long is a refund of an order possible?',
      'Until which day can an order be refunded?',
    ],
    [
      'Until when can an order be cancelled?',
      'Who approves that an order is refunded?',
      'Which part of an order can be refunded?',
      'Until when can a gift card be redeemed?',
    ],
  ),
  group(
    'Admin access',
    'Who may delete a project?',
    [
      'Which role may delete a project?',
      'Who is allowed to delete a project?',
      'Who has permission to remove a project?',
    ],
    [
      'Who may create a project?',
      'Who may archive a project?',
      'When is a project deleted for good?',
      'Who may delete a comment?',
    ],
  ),
  group(
    'Token storage',
    'Where does the web client store the access token?',
    [
      'Where is the access token stored in the web client?',
      'In which place does the web client keep the access token?',
      'Where should the web client store access tokens?',
    ],
    [
      'Where does the web client store the refresh token?',
      'Where does the mobile client store the access token?',
      'How long is the access token of the web client valid?',
      'Where does the server store the access token?',
    ],
  ),
  group(
    'Rate limit',
    'How many requests per minute may a client send?',
    [
      'What is the limit of requests per minute for a client?',
      'How many requests can a client send per minute at most?',
      'Which limit on requests per minute applies to a client?',
    ],
    [
      'How many requests per day may a client send?',
      'What happens when a client sends too many requests?',
      'How many messages per minute may a client receive?',
      'How many requests per minute may an admin send?',
    ],
  ),
  group(
    'Message queue',
    'Do we use SQS or RabbitMQ for jobs?',
    [
      'Which queue do we use for jobs, SQS or RabbitMQ?',
      'Should jobs go through SQS or RabbitMQ?',
      'Is it SQS or RabbitMQ that we use for jobs?',
    ],
    [
      'Do we use SQS or Kafka for events?',
      'How long do jobs stay in SQS?',
      'How many workers read jobs from SQS?',
      'Do we use RabbitMQ 3 or RabbitMQ 4 for jobs?',
    ],
  ),
  group(
    'Time zone of reports',
    'Which time zone do monthly reports use?',
    [
      'In which time zone are monthly reports?',
      'What is the time zone of monthly reports?',
      'Which time zone should monthly reports use?',
    ],
    [
      'Which time zone do weekly reports use?',
      'Which currency do monthly reports use?',
      'When are monthly reports sent?',
      'Which time zone do invoices use?',
    ],
  ),
  group(
    'Invoice numbers',
    'Do invoice numbers restart every year?',
    [
      'Are invoice numbers restarted every year?',
      'Should invoice numbers restart every year?',
      'Do the numbers of invoices restart each year?',
    ],
    [
      'Do order numbers restart every year?',
      'Which prefix do invoice numbers have every year?',
      'Do invoice numbers restart every month?',
      'Who assigns invoice numbers every year?',
    ],
  ),
  group(
    'Node version',
    'Which Node version does CI run?',
    ['What version of Node runs in CI?', 'On which Node version does CI run?', 'Which version of Node should CI use?'],
    [
      'Which Node version does production run?',
      'Which Python version does CI run?',
      'Which tests does CI run on Node 22?',
      'How often does CI run?',
    ],
  ),
  group(
    'Duplicate email',
    'What happens when two users register with the same email?',
    [
      'How do we handle two users who register with the same email?',
      'What should happen if two users register with the same email?',
      'Two users register with the same email: what happens?',
    ],
    [
      'What happens when two users register with the same name?',
      'What happens when a user changes the email?',
      'What happens when two users edit the same page?',
      'Which email is sent when a user registers?',
    ],
  ),
  group(
    'Image formats',
    'Which image formats do we support for avatars?',
    [
      'What image formats are supported for avatars?',
      'Which formats may avatar images have?',
      'Which image formats should avatars support?',
    ],
    [
      'Which image size do we support for avatars?',
      'Which image formats do we support for invoices?',
      'Which image formats do we not support for avatars?',
      'How many avatars may a user have?',
    ],
  ),
  group(
    'Search language',
    'Is search case-sensitive for product names?',
    [
      'Should search for product names be case-sensitive?',
      'Is the search of product names case-sensitive?',
      'Does the search for product names respect case, is it case-sensitive?',
    ],
    [
      'Is search case-sensitive for order numbers?',
      'How many product names does search return?',
      'Is sorting case-sensitive for product names?',
      'Is search fuzzy for product names?',
    ],
  ),
  group(
    'Backups',
    'How often is the database backed up?',
    [
      'How often do we make a backup of the database?',
      'How often should the database be backed up?',
      'How frequently is the database backed up?',
    ],
    [
      'How long are backups of the database kept?',
      'Where are backups of the database stored?',
      'Who is told when a backup of the database fails?',
      'How often is the search index rebuilt?',
    ],
  ),
  group(
    'Shipping address',
    'Can the shipping address be changed after payment?',
    [
      'May the shipping address be changed after payment?',
      'Is it possible to change the shipping address after payment?',
      'Should the shipping address be changeable after payment?',
    ],
    [
      'Can the shipping address be changed before payment?',
      'Can the billing address be changed after payment?',
      'Who can change the shipping address after payment?',
      'Can the shipping method be changed after payment?',
    ],
  ),
  group(
    'Encryption',
    'Which fields of a patient are encrypted?',
    [
      'What fields of a patient do we encrypt?',
      'Which patient fields are encrypted?',
      'Which fields of patients must be encrypted?',
    ],
    [
      'Which fields of a doctor are encrypted?',
      'With which key are fields of a patient encrypted?',
      'Which fields of a patient are not encrypted?',
      'Which fields of a patient are indexed?',
    ],
  ),
  group(
    'Trial period',
    'How long is the trial period for new teams?',
    [
      'What is the length of the trial period for new teams?',
      'How long does the trial period last for new teams?',
      'How long should the trial period of a new team be?',
    ],
    [
      'How long is the notice period for new teams?',
      'How many members may new teams have in the trial period?',
      'What happens after the trial period for new teams?',
      'How long is the trial period for old teams?',
    ],
  ),
  group(
    'File names',
    'How are exported files named?',
    ['What are exported files called?', 'Which name do exported files get?', 'How do we name exported files?'],
    [
      'How are imported files named?',
      'Where are exported files stored?',
      'How are exported files encrypted?',
      'How long are exported files kept?',
    ],
  ),
  group(
    'Push notifications',
    'When do we send push notifications at night?',
    [
      'Do we send push notifications at night and when?',
      'At what time do we send push notifications at night?',
      'When are push notifications sent at night?',
    ],
    [
      'When do we send push notifications during the day?',
      'When do we send email notifications at night?',
      'Who gets push notifications at night?',
      'Which sound do push notifications have at night?',
    ],
  ),
  group(
    'GraphQL or REST',
    'Should the partner API be REST or GraphQL?',
    [
      'Is the partner API REST or GraphQL?',
      'Do we build the partner API as REST or GraphQL?',
      'Which one is the partner API, REST or GraphQL?',
    ],
    [
      'Should the partner API be versioned by path or by header?',
      'Should the admin API be REST or GraphQL?',
      'Which fields does the partner API return?',
      'Should the partner API use OAuth or API keys?',
    ],
  ),
  group(
    'Tax',
    'Are prices stored with or without tax?',
    [
      'Do we store prices with or without tax?',
      'Should prices be stored with or without tax?',
      'Are the stored prices with or without tax?',
    ],
    [
      'Are prices shown with or without tax?',
      'Which tax rate is stored with prices?',
      'Are discounts stored with or without tax?',
      'In which currency are prices stored?',
    ],
  ),
  group(
    'Locking',
    'What happens when two editors open the same document?',
    [
      'How do we handle two editors who open the same document?',
      'Two editors open the same document, what should happen?',
      'What should happen if two editors open the same document?',
    ],
    [
      'What happens when two editors delete the same document?',
      'How many editors may a document have?',
      'What happens when an editor closes a document?',
      'What happens when two viewers open the same report?',
    ],
  ),
  group(
    'Feature flag',
    'Is the new checkout behind a feature flag?',
    [
      'Should the new checkout be behind a feature flag?',
      'Do we put the new checkout behind a feature flag?',
      'Is the new checkout hidden behind a feature flag?',
    ],
    [
      'Is the old checkout behind a feature flag?',
      'Who switches the feature flag of the new checkout?',
      'When is the feature flag of the new checkout removed?',
      'Is the new search behind a feature flag?',
    ],
  ),
  group(
    'Accessibility',
    'Which WCAG level must the shop meet?',
    [
      'What WCAG level does the shop have to meet?',
      'Which level of WCAG must the shop meet?',
      'Which WCAG level is required for the shop?',
    ],
    [
      'Which browsers must the shop support?',
      'Which WCAG level must the admin area meet?',
      'By when must the shop meet WCAG?',
      'Which WCAG version do the tests of the shop check?',
    ],
  ),
  group(
    'Log level',
    'Which log level do we use in production?',
    [
      'What log level is used in production?',
      'Which log level should production use?',
      'On which log level does production run?',
    ],
    [
      'Which log level do we use in staging?',
      'Which log format do we use in production?',
      'How long do we keep the log in production?',
      'Which log library do we use in production?',
    ],
  ),
  group(
    'Idempotency',
    'For how many hours is an idempotency key remembered?',
    [
      'How long is an idempotency key remembered?',
      'How many hours do we remember an idempotency key?',
      'How long should an idempotency key be remembered?',
    ],
    [
      'Where is an idempotency key stored?',
      'Which header carries the idempotency key?',
      'What happens when an idempotency key is used twice?',
      'How many characters does an idempotency key have?',
    ],
  ),
  group(
    'Country list',
    'To which countries do we ship furniture?',
    [
      'Which countries do we ship furniture to?',
      'What countries is furniture shipped to?',
      'Which countries can we ship furniture to?',
    ],
    [
      'From which countries do we ship furniture?',
      'To which countries do we not ship furniture?',
      'To which countries do we ship books?',
      'What does it cost to ship furniture?',
    ],
  ),
  group(
    'Rounding of time',
    'Are working hours rounded to 15 minutes?',
    [
      'Should working hours be rounded to 15 minutes?',
      'Do we round working hours to 15 minutes?',
      'Are working hours rounded up or down to 15 minutes?',
    ],
    [
      'Are working hours rounded to 5 minutes?',
      'Are breaks rounded to 15 minutes?',
      'Who approves working hours?',
      'Are working hours locked after 15 days?',
    ],
  ),
  group(
    'Test data',
    'May tests use real customer data?',
    [
      'Are tests allowed to use real customer data?',
      'Can tests use real customer data?',
      'Should tests use real customer data?',
    ],
    [
      'May support use real customer data?',
      'May tests send real emails?',
      'Which customer data do tests use?',
      'How long may tests keep customer data?',
    ],
  ),
  group(
    'Comments',
    'Can a comment be edited after it was published?',
    [
      'May a comment be edited after it was published?',
      'Is it possible to edit a comment after it was published?',
      'Should a published comment be editable?',
    ],
    [
      'Can a comment be deleted after it was published?',
      'Who can edit a comment after it was published?',
      'Can a comment be edited before it was published?',
      'How long can a comment be after it was published?',
    ],
  ),
];

export const MENDED_BY: readonly Group[] = [
  group(
    'Image formats',
    'Which image formats may users upload as an avatar?',
    [
      'What file types are allowed for profile pictures uploaded as avatar?',
      'Which formats can an uploaded avatar image have?',
    ],
    [
      'Which image formats may users not upload as an avatar?',
      'Which image formats may users upload as a cover photo?',
      'What is the maximum size of an image uploaded as an avatar?',
    ],
  ),
  group(
    'Backups',
    'How long do we keep database backups in production?',
    [
      'For how long are production database backups kept?',
      'What is the retention period of database backups in production?',
    ],
    [
      'How long do we keep database backups in staging?',
      'How often do we take database backups in production?',
      'Should we still keep database backups in production?',
    ],
  ),
  group(
    'Search page size',
    'How many results does a page of the search API return by default?',
    [
      'What is the default page size of the search API?',
      'How many results per page does the search API return by default?',
    ],
    [
      'How many results does a page of the search API return at most?',
      'How many results does a page of the orders API return by default?',
      'How many pages of results does the search API return by default?',
    ],
  ),
  group(
    'Deletion',
    'Are deleted accounts removed from the analytics tables too?',
    [
      'When an account is deleted, is it removed from the analytics tables too?',
      'Do we also remove deleted accounts from the analytics tables?',
    ],
    [
      'Are suspended accounts removed from the analytics tables too?',
      'Are deleted accounts kept in the analytics tables?',
      'Are deleted accounts removed from the billing tables too?',
    ],
  ),
  group(
    'Money',
    'Are prices stored in cents or in euros?',
    ['Do we store prices in euros or in cents?', 'In which unit are prices stored, cents or euros?'],
    [
      'Are discounts stored in cents or in percent?',
      'Are prices displayed in cents or in euros?',
      'Were prices stored in cents or in euros before the migration?',
    ],
  ),
  group(
    'Logging',
    'May the API log the IP address of a user?',
    ["Is the API allowed to log a user's IP address?", 'May we log user IP addresses in the API?'],
    [
      'Must the API log the IP address of a user?',
      'May the API log the email address of a user?',
      'Where does the API log the IP address of a user?',
    ],
  ),
  group(
    'Runtime',
    'Which Node.js version does the worker image use?',
    ['What version of Node.js is used in the worker image?', 'The worker image is based on which Node.js version?'],
    [
      'Which Node.js version does the web image use?',
      'Which Python version does the worker image use?',
      'Which Node.js version should the worker image use next year?',
    ],
  ),
  group(
    'Rate limit',
    'How many login attempts per minute are allowed for one IP?',
    [
      'What is the limit of login attempts per minute for one IP?',
      'How many times per minute may one IP attempt to log in?',
    ],
    [
      'How many login attempts per hour are allowed for one IP?',
      'How many login attempts per minute are allowed for one account?',
      'How many signup attempts per minute are allowed for one IP?',
    ],
  ),
  group(
    'Feature flag',
    'Who may switch on the feature flag new-checkout in production?',
    [
      'Who is allowed to turn on the feature flag new-checkout in production?',
      'Which people may enable the new-checkout feature flag in production?',
    ],
    [
      'Who may switch off the feature flag new-checkout in production?',
      'When may the feature flag new-checkout be switched on in production?',
      'Who may switch on the feature flag new-search in production?',
    ],
  ),
  group(
    'Currency rounding',
    'Do we round VAT per line item or per invoice?',
    ['Is VAT rounded per invoice or per line item?', 'Should VAT be rounded for each line item or once per invoice?'],
    [
      'Do we show VAT per line item or per invoice?',
      'Do we round discounts per line item or per invoice?',
      'Do we still round VAT per line item now that invoices are merged?',
    ],
  ),
  group(
    'Queue',
    'Which queue technology should the notification service use?',
    [
      'What queue should the notification service be built on?',
      'Which message queue technology do we use for the notification service?',
    ],
    [
      'Which queue technology should the billing service use?',
      'Which queue technology should the notification service avoid?',
      'Which database technology should the notification service use?',
    ],
  ),
  group(
    'Upload',
    'What is the maximum size of an attachment in a support ticket?',
    [
      'How big can an attachment of a support ticket be at most?',
      'What is the largest allowed attachment in a support ticket?',
    ],
    [
      'What is the minimum size of an attachment in a support ticket?',
      'What is the maximum number of attachments in a support ticket?',
      'What is the maximum size of an attachment in an email?',
    ],
  ),
  group(
    'Time zone',
    'Are timestamps in the export in UTC or in the local time of the user?',
    [
      "Does the export use UTC or the user's local time for timestamps?",
      'In the export, are timestamps in UTC or local to the user?',
    ],
    [
      'Are timestamps in the import in UTC or in the local time of the user?',
      'Are dates without a time in the export in UTC or in the local time of the user?',
      'Are timestamps in the export of archived orders in UTC as well?',
    ],
  ),
  group(
    'Locale',
    'Is German supported in the mobile app at launch?',
    ['Will the mobile app support German at launch?', 'At launch, does the mobile app support German?'],
    [
      'Is German supported in the desktop app at launch?',
      'Is Dutch supported in the mobile app at launch?',
      'Is German supported in the mobile app after launch only?',
    ],
  ),
  group(
    'Password',
    'What is the minimum password length for admins?',
    ['How long must an admin password be at least?', 'How many characters does an admin password need at minimum?'],
    [
      'What is the minimum password length for customers?',
      'What is the maximum password length for admins?',
      'How long is an admin password valid?',
    ],
  ),
  group(
    'Cache',
    'Should the product list be cached in the browser?',
    ['Is the product list to be cached in the browser?', 'Do we cache the product list in the browser?'],
    [
      'Should the product list not be cached in the browser?',
      'Should the product list be cached in the CDN?',
      'Should the product detail page be cached in the browser?',
      'How long should the product list be cached in the browser?',
    ],
  ),
  group(
    'Timeout',
    'What timeout should calls to the tax service have?',
    ['What is the timeout for calls to the tax service?', 'After how long should a call to the tax service time out?'],
    [
      'How often should calls to the tax service be retried?',
      'What timeout should calls from the tax service have?',
      'What timeout should calls to the tax service have in tests?',
    ],
  ),
];

export const HELD_LATER: readonly Group[] = [
  group(
    'Exports',
    'Should exports include archived orders?',
    ['Do exports include archived orders?', 'Are archived orders to be included in exports?'],
    [
      'Should exports exclude archived orders?',
      'Should exports include only archived orders?',
      'Should imports include archived orders?',
      'Did exports include archived orders?',
      'Should exports still include archived orders?',
      'Should the export of invoices include archived orders?',
    ],
  ),
  group(
    'Roles',
    'Can editors delete comments of other people?',
    ["Are editors allowed to delete other people's comments?", 'May editors remove comments of other people?'],
    [
      'Can viewers delete comments of other people?',
      'Can editors delete their own comments?',
      'Can editors edit comments of other people?',
      'Can other people delete comments of editors?',
      'Should editors delete comments of other people?',
    ],
  ),
  group(
    'Ports',
    'On which port does the admin server listen in docker compose?',
    ['Which port does the admin server listen on in docker compose?'],
    [
      'On which port does the API server listen in docker compose?',
      'On which host does the admin server listen in docker compose?',
      'On which port does the admin server listen in kubernetes?',
      'Why does the admin server listen on a port of its own in docker compose?',
    ],
  ),
  group(
    'Mail',
    'Do we send a mail when an order is shipped?',
    ['Is a mail sent when an order is shipped?', 'When an order is shipped, do we send an email?'],
    [
      'Do we send a mail when an order is cancelled?',
      'Do we send a push message when an order is shipped?',
      'Do we send a mail before an order is shipped?',
      'Who sends a mail when an order is shipped?',
      'What do we send when an order is shipped?',
    ],
  ),
  group(
    'IDs',
    'Should public ids be UUIDs or integers?',
    ['Are public ids integers or UUIDs?', 'Do we use UUIDs or integers for public ids?'],
    [
      'Should internal ids be UUIDs or integers?',
      'Should public ids be UUIDs v4 or v7?',
      'Should public ids be UUIDs or slugs?',
      'Should public slugs be UUIDs or integers?',
    ],
  ),
  group(
    'SLA',
    'Within how many hours must a P1 incident be answered?',
    ['How many hours do we have to answer a P1 incident?'],
    [
      'Within how many hours must a P2 incident be answered?',
      'Within how many minutes must a P1 incident be answered?',
      'Within how many hours must a P1 incident be resolved?',
      'Within how many hours must a P1 incident be answered on weekends?',
    ],
  ),
  group(
    'Config',
    'Where is the retry limit configured?',
    ['In which file is the retry limit configured?', 'Where do we configure the retry limit?'],
    [
      'What is the retry limit?',
      'Where is the rate limit configured?',
      'Who configured the retry limit?',
      'Where is the retry limit enforced?',
      'Is the retry limit configured?',
    ],
  ),
  group(
    'Fields',
    'Is the phone number required at signup?',
    ['At signup, is the phone number required?', 'Must users enter a phone number at signup?'],
    [
      'Is the phone number optional at signup?',
      'Is the phone number required at checkout?',
      'Is the email required at signup?',
      'Is the phone number verified at signup?',
      'Is the phone number required at signup for companies?',
    ],
  ),
];
