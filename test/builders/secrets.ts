/** Secrets are put together here, so that no scanner of repositories takes this file for a leak. */
const made = (...parts: readonly string[]): string => parts.join('');
const letters = (count: number): string => 'aB3dE5gH7jK9mN2pQ4sT6vW8yZ1cF0xR'.repeat(6).slice(0, count);
const hex = (count: number): string => '3f9a1c07b2e84d56'.repeat(8).slice(0, count);
const capitals = (count: number): string => 'Q7WX2MZ9K4PT6RB3'.repeat(6).slice(0, count);

export const VENDOR_KEYS: readonly [string, string][] = [
  ['AWS access key', made('AKIA', capitals(16))],
  ['AWS session key', made('ASIA', capitals(16))],
  ['Google API key', made('AIza', letters(35))],
  ['Google OAuth token', made('ya29.', letters(60))],
  ['GitHub personal token', made('ghp_', letters(36))],
  ['GitHub app token', made('ghs_', letters(36))],
  ['GitHub fine-grained token', made('github_pat_', letters(22), '_', letters(59))],
  ['GitLab token', made('glpat-', letters(20))],
  ['Slack bot token', made('xoxb-', '123456789012-', letters(24))],
  ['Slack app token', made('xapp-1-', 'A0123456789-', letters(40))],
  ['OpenAI key', made('sk-', letters(48))],
  ['OpenAI project key', made('sk-proj-', letters(60))],
  ['Anthropic key', made('sk-ant-api03-', letters(80))],
  ['OpenRouter key', made('sk-or-v1-', hex(64))],
  ['Stripe live key', made('sk_live_', letters(24))],
  ['Stripe restricted key', made('rk_test_', letters(24))],
  ['Stripe webhook secret', made('whsec_', letters(32))],
  ['SendGrid key', made('SG.', letters(22), '.', letters(43))],
  ['Twilio key', made('SK', hex(32))],
  ['npm token', made('npm_', letters(36))],
  ['PyPI token', made('pypi-AgE', letters(60))],
  ['Hugging Face token', made('hf_', letters(34))],
  ['Groq key', made('gsk_', letters(52))],
  ['DigitalOcean token', made('dop_v1_', hex(64))],
  ['Databricks token', made('dapi', hex(32))],
  ['Vault token', made('hvs.', letters(24))],
  ['Shopify token', made('shpat_', hex(32))],
  ['Linear key', made('lin_api_', letters(40))],
  ['Docker Hub token', made('dckr_pat_', letters(27))],
  ['Atlassian token', made('ATATT3', letters(60))],
  ['Telegram bot token', made('123456789:AA', letters(33))],
  ['age key', made('AGE-SECRET-KEY-1', capitals(58))],
  ['Mailchimp key', made(hex(32), '-us12')],
];

export const JWT = made('eyJhbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxMjM0NTY3ODkwIn0.', letters(43));
const KEY_LINES = `${letters(64)}\n${letters(64)}\n${letters(20)}==`;

/** What it is, the secret, and a text that contains it. */
export const SECRETS_IN_TEXT: readonly [string, string, string][] = [
  ['a JWT', JWT, `The session cookie held ${JWT} at that time.`],
  ['a PEM block', letters(64), `-----BEGIN RSA PRIVATE KEY-----\n${KEY_LINES}\n-----END RSA PRIVATE KEY-----`],
  ['a PEM block without an end', letters(64), `-----BEGIN PRIVATE KEY-----\n${KEY_LINES}`],
  [
    'a PEM block in JSON',
    letters(64),
    `{"key":"-----BEGIN EC PRIVATE KEY-----\\n${letters(64)}\\n-----END EC PRIVATE KEY-----\\n"}`,
  ],
  ['a database address', 'sw0rdf1sh', 'Connect to postgres://shop:sw0rdf1sh@db.internal:5432/shop for that.'],
  ['a database address with a plain word', 'password', 'mongodb+srv://admin:password@cluster0.abcde.mongodb.net/app'],
  ['a database address with signs', 'p%40ss/w0rd', 'mysql://root:p%40ss/w0rd@10.0.0.5/app'],
  ['a cache address without a user', 'Xy7kk2', 'redis://:Xy7kk2@cache:6379/0'],
  ['an address of the web', 'deploy-Key-77', 'git clone https://ci:deploy-Key-77@git.company.com/shop.git'],
  ['a bearer header', 'abcdef0123456789', 'Authorization: Bearer abcdef0123456789'],
  ['a bearer header of letters', 'sometokenvalue', 'curl -H "Authorization: Bearer sometokenvalue9"'],
  ['a basic header', 'dXNlcjpwYXNz', 'authorization: Basic dXNlcjpwYXNzd29yZA=='],
  ['a header in JSON', 'q9w8e7r6t5y4u3', '{"headers": {"X-Api-Key": "q9w8e7r6t5y4u3"}}'],
  ['a line of .env', 'hunter2', 'DB_PASSWORD=hunter2'],
  ['a quoted line of .env', 'correct horse', 'APP_SECRET="correct horse battery"'],
  ['an exported line', 'tok-778', 'export DEPLOY_TOKEN=tok-778-abc'],
  ['a variable in front of a command', 's3cr3t', 'PGPASSWORD=s3cr3t psql -h db shop'],
  ['an AWS secret', letters(40), `aws_secret_access_key = ${letters(40)}`],
  ['a password in YAML', 'Winter2026!', 'password: Winter2026!'],
  ['a password in code', 'S3cure-Pa55', "const password = 'S3cure-Pa55';"],
  ['a password in a sentence', 'Tr0ub4dor&3', 'The admin password is Tr0ub4dor&3 on staging.'],
  ['a key in JSON', hex(32), `{"apiKey": "${hex(32)}"}`],
  ['a client secret', letters(34), `client_secret=${letters(34)}&grant_type=x`],
  ['a storage key', letters(40), `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${letters(40)}==;`],
  ['an SQL Server string', 'Pa55word', 'Server=db;Database=shop;User Id=sa;Password=Pa55word;'],
  ['a webhook', letters(24), `https://hooks.slack.com/services/T01234567/B01234567/${letters(24)}`],
  ['curl with a user', 'pa55phrase', 'curl -s -u admin:pa55phrase https://ci.internal/api'],
  ['a password option', 'Qwerty-99', 'mytool login --password Qwerty-99 --user me'],
];
