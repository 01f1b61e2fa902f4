/*
 * What secrets look like. Keys of vendors have a prefix of their own and a known length, so they are found wherever
 * they stand. Everything else is found by its surroundings: a header, an address, a name such as DB_PASSWORD.
 */

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
/** Behind a prefix that is short enough to begin a name in code: no name has digits in two places. */
const DIGITS = '(?=[A-Za-z_-]*\\d[\\d]*[A-Za-z_-]+\\d)';

/** Prefix and rest of the keys that vendors give out; the rest is what makes it one and not a word. */
const VENDOR_KEYS: readonly string[] = [
  // Clouds
  // The manuals of AWS have keys of their own.
  '(?:AKIA|ASIA|ABIA|ACCA)(?![0-9A-Z]{9}EXAMPLE)[0-9A-Z]{16}(?![0-9A-Za-z])',
  'AIza[\\w-]{35}',
  'ya29\\.[\\w-]{20,}',
  'GOCSPX-[\\w-]{20,}',
  'LTAI[0-9A-Za-z]{16,24}(?![0-9A-Za-z])',
  'AKID[0-9A-Za-z]{32}(?![0-9A-Za-z])',
  'do[opr]_v1_[0-9a-f]{64}',
  'dapi[0-9a-f]{32}(?![0-9A-Za-z])',
  'dt0[a-z]\\d{2}\\.[0-9A-Z]{24}\\.[0-9A-Z]{64}',
  'hv[sbr]\\.[\\w-]{20,}',
  `[sbr]\\.${DIGITS}[0-9A-Za-z]{24}(?![0-9A-Za-z_])`,
  'fm\\d_[\\w-]{20,}',
  'tskey-[a-z]+-[0-9A-Za-z]+-[0-9A-Za-z]{16,}',
  'HRKU-[\\w-]{30,}',
  'pscale_(?:tkn|pw|oauth)_[\\w=.-]{20,}',
  'sb(?:p|_secret)_[\\w-]{20,}',
  'nfp_[0-9A-Za-z]{30,}',
  'napi_[0-9a-z]{40,}',
  'xau_[0-9A-Za-z]{30,}',
  'rnd_[0-9A-Za-z]{28,}',
  'vercel_blob_rw_\\w{30,}',
  '[0-9A-Za-z]{3}8Q~[\\w~.-]{31,34}',
  // Source code and packages
  'gh[pousr]_[0-9A-Za-z]{30,}',
  'github_pat_\\w{22,}',
  'gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|ffct)-[\\w.-]{20,}',
  'ATATT3[\\w=-]{30,}',
  'ATBB[0-9A-Za-z]{28,}',
  'npm_[0-9A-Za-z]{36}',
  'pypi-AgE[\\w-]{40,}',
  'rubygems_[0-9a-f]{48}',
  'CLOJARS_[0-9a-z]{60}',
  'dckr_(?:pat|oat)_[\\w-]{20,}',
  'AKCp[0-9A-Za-z]{60,}',
  'CCIPAT_\\w{20,}',
  'bkua_[0-9a-f]{40}',
  'sgp_[0-9A-Za-z_]{40,}',
  'pul-[0-9a-f]{40}',
  'dp\\.(?:pt|st|ct|sa|scim|audit)\\.[\\w.-]{40,}',
  '[0-9A-Za-z]{14}\\.atlasv1\\.[\\w=-]{60,}',
  // Models
  'sk-(?:proj|svcacct|admin|None)-[\\w-]{20,}',
  'sk-ant-[\\w-]{20,}',
  'sk-or-v1-[0-9a-f]{32,}',
  'sk-(?:lf|live|test|svc)-[\\w-]{20,}',
  'sk-[0-9A-Za-z]{20,}',
  'hf_[0-9A-Za-z]{30,}',
  'gsk_[0-9A-Za-z]{40,}',
  'xai-[0-9A-Za-z]{40,}',
  'pplx-[0-9A-Za-z]{32,}',
  'r8_[0-9A-Za-z]{37}',
  'nvapi-[\\w-]{40,}',
  'tvly-[\\w-]{20,}',
  'lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}',
  'pcsk_[0-9A-Za-z_]{40,}',
  'csk-[0-9a-z]{40,}',
  'llx-[0-9A-Za-z]{40,}',
  'jina_[\\w-]{50,}',
  'e2b_[0-9a-f]{40}',
  'tgp_v1_[\\w-]{30,}',
  'fc-[0-9a-f]{32}(?![0-9A-Za-z])',
  `fw_${DIGITS}[0-9A-Za-z]{22,}`,
  // Messages, money and other services
  'xox[abcdeprs][.-][0-9A-Za-z-]{10,}',
  'xapp-\\d-[0-9A-Za-z-]{20,}',
  '(?:sk|rk|pk)_(?:live|test)_[0-9A-Za-z]{16,}',
  'sk_[0-9a-f]{48}(?![0-9A-Za-z])',
  `re_${DIGITS}[0-9A-Za-z]{6,10}_[0-9A-Za-z]{20,}`,
  'x(?:keys|smtps)ib-[0-9a-f]{64}-\\w{16}',
  'pat[0-9A-Za-z]{14}\\.[0-9a-f]{64}',
  `pat-[a-z]{2}\\d-${UUID}`,
  `(?:sdk|mob|api)-${UUID}`,
  'hc[abx][iltm][kc]_01[0-9a-z]{50,}',
  'sk\\.eyJ[\\w-]{30,}\\.[\\w-]{20,}',
  `access-(?:sandbox|development|production)-${UUID}`,
  'phx_[0-9A-Za-z]{40,}',
  'signkey-(?:prod|test|branch)-[0-9a-f]{32,}',
  'tr_(?:dev|prod|stg)_[0-9A-Za-z]{20,}',
  'whsec_[0-9A-Za-z+/=]{24,}',
  'SG\\.[\\w-]{16,}\\.[\\w-]{16,}',
  'SK[0-9a-f]{32}(?![0-9A-Za-z])',
  'key-[0-9a-f]{32}(?![0-9A-Za-z])',
  '[0-9a-f]{32}-us\\d{1,2}(?![0-9A-Za-z])',
  'sq0(?:atp|csp|idp)-[\\w-]{22,}',
  'EAACEdEose0cBA[0-9A-Za-z]+',
  'shp(?:at|ss|ca|pa|tka)_[0-9A-Fa-f]{32}',
  'shippo_(?:live|test)_[0-9a-f]{40}',
  'EZ[AT]K[0-9A-Za-z]{54}',
  'lin_(?:api|oauth)_[0-9A-Za-z]{32,}',
  '(?:secret|ntn)_[0-9A-Za-z]{43,50}(?![0-9A-Za-z])',
  'fig[dur]_[\\w-]{30,}',
  'PMAK-[0-9a-f]{24}-[0-9a-f]{34}',
  'NR(?:AK|JS|RA)-[0-9A-Za-z]{19,}',
  'gl(?:sa_|c_)[0-9A-Za-z+/=_]{32,}',
  'sntry[su]_[\\w+/=]{40,}',
  'tfp_[\\w.=-]{40,}',
  'CFPAT-[\\w-]{43}',
  'rdme_[0-9a-z]{70}',
  'ops_eyJ[\\w-]{80,}',
  '\\d{8,10}:AA[\\w-]{32,33}(?![\\w-])',
  '[MNO][\\w-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,38}',
  'AGE-SECRET-KEY-1[0-9A-Z]{58}',
  // What other services make after their example
  `[a-z]{2,8}_(?:live|prod|sandbox|sk|pat|key|secret)_${DIGITS}[0-9A-Za-z]{16,}`,
];

/** The beginning of a word, or what follows a code for colour, whose last letter is an m. */
const BEGINNING = '(?:(?<![0-9A-Za-z])|(?<=^[\\d;]{1,8}m))';

/** Only words this long can be a key, which makes it fast. */
export const SHORTEST_KEY = 18;
/** Characters of keys, besides letters and digits. */
export const KEY_SIGNS = '_.:~-';
export const VENDOR_KEY = new RegExp(`${BEGINNING}(?:${VENDOR_KEYS.join('|')})`, 'g');
/** Some keys are base64, whose signs are no part of the word. */
export const REST_OF_KEY = /[+/=][\w+/=-]*/y;
/** Google's refresh token has slashes in its prefix. */
export const REFRESH_TOKEN = /\b1\/\/0[\w-]{30,}/g;

/** The line in front of a private key. Group: what kind of key it is, which the last line repeats. */
export const PRIVATE_KEY_HEADER = /-----BEGIN ([A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?)-----/g;
/** The rest of a key whose last line is missing. */
export const KEY_LINES = /(?:[\s\\"'+,]|[\w+/=]{16,}|(?:Proc-Type|DEK-Info|Version|Comment):[^\n\\]*)*/y;
/** The body of a key. Without it, the text only has the words that mark a key. */
export const KEY_MATERIAL = /[\w+/]{24,}/;

/** Header, payload and usually a signature, each in base64url; the first two begin with `{"`. */
export const JSON_WEB_TOKEN = /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?/g;

/*
 * Looking back from a rare character is several times as fast as looking ahead from every letter.
 */

/** The password in an address, with what is around it. Groups: scheme, user, password, host. */
export const ADDRESS_WITH_PASSWORD =
  /:\/\/(?<=\b([a-z][a-z0-9+.-]{1,30}):\/\/)([^\s:@/'"`<>]{0,200}):(?!\d+\/)([^\s@'"`<>]{1,300})(?=@([\w.[\]%-]+))/gi;

export const AUTHORIZATION =
  /((?:authorization|x-[\w-]{0,20}(?:key|token|auth|secret)|api-key)["'`]{0,2}[ \t]{0,3}(?:[:=][ \t]{0,3}["'`]{0,2}|,[ \t]{0,3}["'`]))((?:(?:bearer|basic|token|digest|negotiate|apikey|bot|ssws|splunk|geniekey|key)[ \t]+)?)([^\s"'`<>{}$,;()[\]]{6,})/gi;
export const BEARER = /\b(bearer[ \t]+|basic[ \t]+)([\w.~+/-]{12,}={0,2})/gi;

/** A storage account's key or a signature in an address or a connection string. */
export const NAMED_VALUE =
  /\b((?:AccountKey|SharedAccessKey|SharedSecretIssuer|Password|Pwd|sig|X-Amz-Signature|X-Amz-Security-Token|access_token|refresh_token|id_token|client_secret|api_key|apikey|_auth)=)([^\s;&"'`<>${}()[\],|]{6,}(?![(\w.]))/gi;

/** `?key=x&token=y`. Groups: the name with what is before it, the value. */
export const QUERY =
  /([?&](?:[\w-]{0,20}(?:key|token|secret|signature|password|passwd|pwd)|code|jwt|sid|auth|credential|sessionid)=)([^\s&#"'`<>${}()[\]\\]{6,})/gi;

/** `scott/tiger@host`, behind what shows that it is Oracle's way to write an address. */
export const ORACLE =
  /(\b(?:jdbc:oracle:\w{2,5}:|sqlplus[ \t]+(?:-\w+[ \t]+)*["']?)[\w$#.]{1,60}\/)([^\s@"'`]{3,100})(?=@)/gi;

/** A line of `.pgpass`: host, port, database, user, password. */
export const PGPASS = /^((?:[\w.*-]{1,100}):(?:\d{4,5}|\*):[\w*.-]{1,60}:[\w*.@-]{1,60}:)([^\s:]{6,200})[ \t]*$/gm;

/** The values in a Secret of Kubernetes, whatever their names are. Groups: indentation, the lines below. */
export const CLUSTER_SECRET = /^([ \t]*)(?:data|stringData):[ \t]*\n((?:\1[ \t]+[\w./-]+:[^\n]*(?:\n|$))+)/gm;
export const CLUSTER_VALUE = /^([ \t]+[\w./-]+:[ \t]+)(?![|>])(\S[^\n]{3,})$/gm;

/** A webhook's address is its password. */
export const WEBHOOK =
  /(https:\/\/(?:hooks\.slack\.com\/(?:services|workflows|triggers)\/|(?:\w+\.)?discord(?:app)?\.com\/api\/webhooks\/|[\w-]+\.webhook\.office\.com\/webhookb2\/|chat\.googleapis\.com\/v1\/spaces\/\w+\/messages\?))([\w/@%?=&-]{20,})/g;

/**
 * On the command line: curl -u name:password, --password X, sshpass -p X, mysql -pX, and the options of other programs.
 */
export const COMMAND_LINE =
  /((?:^|\s)(?:curl\b[^\n]{0,300}?\s(?:-u|--user)[ =]['"]?[\w.@+-]+:|--(?:password|passwd|pass|token|api-key|apikey|secret|client-secret|access-key|secret-key|auth-token)[ =]['"]?|sshpass -p ?['"]?|mysql(?:dump|admin)?\b[^\n]{0,200}?\s-p['"]?|docker login\b[^\n]{0,200}?\s-p ['"]?|redis-cli\b[^\n]{0,200}?\s-a ['"]?|mongo(?:sh|dump|restore|export|import)?\b[^\n]{0,200}?\s-p ['"]?|ldap\w{3,10}\b[^\n]{0,200}?\s-w ['"]?|sqlcmd\b[^\n]{0,200}?\s-P ['"]?|openssl\b[^\n]{0,200}?\s-pass(?:in|out)? pass:|-(?:(?:src|dest)?store|key)pass ['"]?))([^\s'"`<>${}()[\]]{4,})/g;

/** One of them is in every match of the patterns that find a secret by its name. */
export const NAME_OF_SECRETS =
  /pass|pwd|secret|token|key|auth|cred|dsn|kennwort|psk|schl|seed|zugang|recovery|activation|pw\b|\blogin/i;

/** The name of a variable that holds a secret. */
const VARIABLE =
  '(?:[A-Z][A-Z0-9]*_)*(?:[A-Z0-9]*(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|APIKEY|CREDENTIALS?|PW)|PASS|PWD|DSN|(?:API|APP|ACCESS|SECRET|PRIVATE|ENCRYPTION|SIGNING|MASTER|SERVICE|AUTH|LICENSE|SSH|JWT|ACCOUNT|DEPLOY|SESSION|STORAGE|SHARED|HMAC|WEBHOOK|COOKIE)_?KEY)(?:_[A-Z0-9]+){0,3}';
const VALUE = `("[^"\\n]{1,500}"|'[^'\\n]{1,500}'|[^\\s"'\`;,()<>|&]{1,500})`;

/**
 * `DB_PASSWORD=x` and `export API_TOKEN="x"`, at the beginning of a line or in front of a command. Groups: a name that may
 * be one of anything (`FLAGS_KEY`), the value.
 */
export const ENVIRONMENT_LINE = new RegExp(
  `=(?<=(?:^|[\\s;"'\`])(?:${VARIABLE}|((?:[A-Z][A-Z0-9]*_)+(?:KEY|SEED|AUTH|SALT|PSK)))=)${VALUE}(?=\\s|$|[;"'\`|&])`,
  'gm',
);
/** `set -x API_TOKEN x`, `ENV API_TOKEN x`, `setx API_TOKEN x`: without a sign between name and value. */
export const ENVIRONMENT_COMMAND = new RegExp(
  `((?:^|[\\s;])(?:set -\\w{1,5}|setx|ENV|ARG)[ \\t]+${VARIABLE}[ \\t]+)${VALUE}`,
  'gm',
);

/** `password: "x"`, `"apiKey": "x"`, `secret = 'x'`, the password is x; also within JSON that is a text in JSON; not `arn:aws:x:secret:y`. */
export const ASSIGNED =
  /((?<!:)(?:passwords?|passwd|passphrase|passcode|pwd|secret|token|(?:api|access|private|auth|secret|signing|encryption|session|shared|deploy|license|master)[_ -]?key(?:[_ -]?(?:id|base))?|credentials?|client-key-data|passwort|kennwort|(?:wlan|wifi|wpa)[_ -]?(?:key|psk|schl(?:ue|\u00fc)ssel))[\\"'`\]]{0,3}(?:[ \t]{0,4}(?::=|=>|[:=])[ \t]{0,4}|[ \t]+(?:is|was|ist|war|lautet)(?: now)?:?[ \t]+(?:set to[ \t]+)?))(\\"[^"\\\n]{1,300}\\"|"[^"\n]{1,300}"|'[^'\n]{1,300}'|`[^`\n]{1,300}`|[^\s"'`\\,;(){}[\]<>|]{6,300}(?![(\w.$]))/gi;

/** `the AWS secret x`: with nothing between the name and a value that was made by chance. */
export const NAMED_ONLY = /\b((?:secret|password|passphrase|token)[ \t]+)([\w+/=-]{24,300})(?![\w+/=.-])/gi;

/** As people tell it: `pw "x"`, `the password for the staging box is x`, `login is maya / x`. */
export const TOLD =
  /\b((?:(?:passwords?|passphrase|passcode|passwd|pwd?|passwort|kennwort)(?:[ \t]+(?:for|of|on|to|in|at|from|von|vom|zum|zur|f(?:ue|\u00fc)r)[ \t]+[^\n:=;"'`(){}]{1,50}?(?::|[ \t](?:is|was|ist|war|lautet))|[ \t]+(?:dazu|daf(?:ue|\u00fc)r|there|here):?|[ \t]*[:=]|[ \t]+(?:is|was|ist|war|lautet))?|pass[ \t]*[:=]|(?:creds?|credentials|login|basic[ -]auth|zugang(?:sdaten)?)(?:[ \t]+(?:for|on|to|f(?:ue|\u00fc)r)[ \t]+[^\n:=;"'`(){}/]{1,40}?)?(?:[ \t]+(?:is|are|ist|sind)|:)?[ \t]+["'`]?[\w.@+-]{2,60}(?:[ \t]*\/|:))[ \t]*(?<=[\s/:])\(?["'`]?)([^\s"'`,;(){}[\]<>|]{6,100})/gi;

/** `node 17 has appkey x`, `the token he gave me: x`: a key with nothing but small words in front of it. */
export const TOLD_KEY =
  /((?:(?<!public[ -])key|token|secret|seed|psk)(?:[ \t]+[a-z']{1,12}){0,4}:?[ \t]+["'`(]?)([\w+/=~-]{20,300})(?![\w+/=.-]*[\w+/=-])/gi;

/** `recovery code 7F3K-9Q2M-XX81` */
export const TOLD_CODE =
  /\b((?:licen[sc]e|activation|recovery|backup|product)[ -](?:key|code)s?(?:[ \t]+(?:is|was))?:?[ \t]+["'`(]?)([0-9A-Z]{4,8}(?:-[0-9A-Z]{4,8}){2,8})(?![\w-])/gi;

/** `password: words-of-a-phrase`, alone on a line, as YAML has it. */
export const YAML_PASSWORD =
  /^([ \t]*(?:- )?(?:[a-z0-9]+[_-])*(?:password|passwd|passphrase):[ \t]+)([^\s"'`,;(){}[\]<>|!&*$%#]{6,100})[ \t]*$/gm;

/** A header with cookies; cookies that identify a person are long. */
export const COOKIES = /(?:\bcookie["'`]?[ \t]?[:=,]|\bcurl\b[^\n]{0,300}?\s-b )[^\n]{1,4000}/gi;
export const COOKIE = /([\w.-]{1,60}=)([\w+/=.~%-]{16,})/g;

/** A `.netrc`, in one line or in several. */
export const NETRC = /(\bmachine\s+[\w.-]+\s+login\s+\S{1,100}\s+password\s+)(\S{1,200})/g;

/** `{"auths": {"host": {"auth": "x"}}}` of docker. */
export const DOCKER_LOGIN = /("auth"\s{0,3}:\s{0,3}")([\w+/]{12,}={0,2})(?=")/g;

/** `<password>x</password>`, as in the settings of maven. */
export const ELEMENT = /(<([\w.-]{0,30}(?:password|passphrase|secret|token|apikey))>)([^<>\s]{6,300})(?=<\/\2>)/gi;

export const PUTTY_KEY = /(\bPrivate-Lines: \d+\r?\n)([\w+/=\r\n]{20,20000}?)(?=\r?\nPrivate-MAC|$)/g;
