import { group, type Requirement } from './group.js';

/** ME-8 to ME-14: what goes wrong, what is never stored, hygiene, settings, commands, alerts. */
export const memoryPipeline: readonly Requirement[] = [
  ...group('ME-8', 'corruption and rebuild', [
    ['003 memory 8.3 T8; 9.5 manifest', 'A corrupt or missing manifest is rebuilt from the issue files.'],
    [
      '003 memory 9.5 issue file',
      'A corrupt issue file is skipped with a warning; the observations of other issues are found.',
    ],
    ['003 memory 11 out of sync', 'A manifest that does not agree with the issue files is noticed and rebuilt.'],
    ['003 memory 12.2 store rebuild', 'A rebuild is logged with what caused it and how long it took.'],
    ['003 memory 12.2 lock timeout', 'A lock timeout is logged with the file and the attempts.'],
    [
      'contract 1',
      'A corrupt issue file is never overwritten; doctor --repair moves it aside and salvages what it can.',
    ],
    ['contract 5', 'agentx memory rebuild makes the derived files anew on request.'],
  ]),
  ...group('ME-9', 'secrets and private text', [
    [
      '003 memory 6.1 step 1, 6.2 L1; threats; 11',
      'API keys, tokens and passwords are taken out before anything is stored.',
    ],
    ['003 memory 6.1 step 2, 6.2 L2; threats; 8.3 T9', 'Text between private tags is not stored.'],
    [
      '003 memory 6.1 step 3, 6.2 L3; threats',
      'Size and number of observations are limited, however much an agent writes.',
    ],
    ['003 memory 6.2 L4', 'Memory files get the permissions of the .agentx folder and no wider ones.'],
    ['003 memory 6.2 L6; threats', 'An observation id that does not match its format is refused.'],
    ['003 memory 6.2 L6; threats', 'An issue number is digits only: no path leads out of the memory folder.'],
    ['memory secrets', 'Redaction comes before every write, log lines and temporary files included.'],
    ['memory secrets', 'An unclosed private tag hides everything after it.'],
    [
      'memory secrets',
      'Vendor keys, PEM blocks, JWTs, connection strings, bearer and basic headers and .env lines are recognised.',
    ],
    ['memory secrets', 'Ordinary code gives at most one false alarm in 4 MB, at 10 MB/s or more.'],
  ]),
  ...group('ME-10', 'compaction and archive', [
    ['003 memory 8.3 T11; 10 phase 3', 'Compacting an old issue reduces its observations by half or more.'],
    ['003 memory 10 phase 3', 'The originals of merged observations are kept in memory/archive/.'],
    [
      '003 memory 3.4 constant; 11',
      'STALE_ARCHIVE_AFTER_DAYS is 90: what nobody has touched for longer may be archived.',
    ],
    ['003 memory 12.2 compaction', 'A compaction is logged with issue and counts before and after.'],
    ['contract 5', 'memory restore brings archived originals back.'],
    ['memory hygiene', 'Archived observations stay out of search and recall unless asked for.'],
    ['memory hygiene', 'Near-duplicates are merged when written, with a count.'],
  ]),
  ...group('ME-11', 'settings', [
    ['003 memory 3.4 enabled', 'memory.enabled is a boolean and true by default.'],
    ['003 memory 3.4 maxTokens', 'memory.maxTokens is a number and 20000 by default.'],
    [
      '003 memory 9.5 disabled',
      'With memory disabled, the pipeline answers with empty text at once and stores nothing.',
    ],
    ['003 memory 9.5 maxTokens 0', 'With maxTokens 0 nothing is injected while capture goes on.'],
    ['003 memory 3.4 constant', 'MANIFEST_CACHE_TTL_MS is 30000.'],
    ['003 memory 9.4', 'The editor offers both settings as agentx.memory.enabled and agentx.memory.maxTokens.'],
  ]),
  ...group('ME-12', 'commands', [
    [
      '003 memory 3.2 agentx.searchMemory; 10 phase 2a',
      '"AgentX: Search Memory" asks for a query and shows compact results.',
    ],
    [
      '003 memory 3.2 agentx.getObservation; 10 phase 2a',
      '"AgentX: Get Observation" asks for an id and shows the whole observation.',
    ],
    [
      '003 memory 3.2 agentx.memoryStats; 10 phase 2b',
      '"AgentX: Memory Stats" shows the number of observations, size on disk and token totals.',
    ],
    [
      '003 memory 3.2 agentx.compactMemory',
      '"AgentX: Compact Memory" asks for an issue, compacts it and tells the result.',
    ],
    ['003 memory 3.1 searchMemory', "searchMemory() of the pipeline gives what the store's search gives."],
    ['003 memory 3.1 getObservation', "getObservation() of the pipeline gives what the store's getById gives."],
    [
      '003 memory 1; contract 5',
      'agentx memory has search, show, remove, add, timeline, recall, stats, compact, restore, rebuild and export.',
    ],
    [
      'contract 5',
      'memory search takes --agent, --issue, --category, --since and --limit and gives {results} with scores as JSON.',
    ],
  ]),
  ...group('ME-13', 'alerts', [
    ['003 memory 12.3 rebuild', 'A manifest rebuild warns with the time it took.'],
    ['003 memory 12.3 lock timeout', 'A capture skipped for a lock timeout warns with the file.'],
    ['003 memory 12.3 size', 'A store above 40 MB warns and names the compact command.'],
    ['003 memory 12.3 count', 'More than 40,000 observations warn with the number and suggest compaction.'],
    ['003 memory 12.3 empty capture', 'A capture that yields nothing says so as information, not as a warning.'],
    ['003 memory 12.1 capture', 'Captured observations, capture latency and capture errors are counted.'],
    ['003 memory 12.1 injection', 'Recalled observations, injection latency and memory tokens used are counted.'],
    ['003 memory 12.1 store', 'Total observations, size on disk and search latency are counted.'],
    ['003 memory 12.2 search', 'A search is logged with query, number of results and latency.'],
  ]),
  ...group('ME-14', 'token displacement', [
    ['003 memory 12.2; 10 phase 2b', 'Each recall logs "Memory recall displaced N tokens of manual re-read".'],
    ['003 memory 12.2', 'N estimates the source text that need not be read again, and is 0 when nothing was recalled.'],
  ]),
];
