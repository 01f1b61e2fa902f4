import type { Autonomy, AutonomyLevel } from '../../../src/protocol/autonomy.js';
import type { Issue } from '../../../src/protocol/issue.js';
import type { Question } from '../../../src/protocol/question.js';
import type { AutonomyBody, BlockedIssue, ListedClarification } from '../../../src/protocol/rest.js';
import { ago, useNow } from '../parts/clock.js';
import { Link } from '../parts/link.js';
import { Reading } from '../parts/reading.js';
import { Line, Title } from '../parts/text.js';
import { exactly } from '../parts/time.js';
import { WaitGraph } from '../parts/wait-graph.js';
import type { Board, State } from '../state.js';
import { titleOf } from './inbox.js';

const COLUMNS = ['Backlog', 'Ready', 'In Progress', 'In Review', 'Validating', 'Done'];
const SHOWN_PER_COLUMN = 30;
const SHOWN_BLOCKED = 100;

export function BoardView({ state }: { readonly state: State }) {
  const now = useNow();
  const { board, clarifications } = state;
  if (board === undefined) return <Reading what="the board" state={state} />;
  return (
    <div class="view">
      <h2 class="unseen" tabIndex={-1}>
        Board
      </h2>
      <Agents board={board} records={clarifications} now={now} />
      <LeftRuns board={board} now={now} />
      <Branches board={board} now={now} />
      <BlockedIssues blocked={board.blocked} state={state} />
      <WaitGraph records={clarifications} />
      <Issues tasks={board.tasks} />
      <AutonomyLevels autonomy={board.autonomy} />
    </div>
  );
}

interface AgentsProps {
  readonly board: Board;
  readonly records: readonly ListedClarification[];
  readonly now: number;
}

function Agents({ board: { agents, tasks }, records, now }: AgentsProps) {
  const rows = Object.entries(agents).toSorted(([left], [right]) => (left < right ? -1 : 1));
  const titleOfIssue = (issue: number) => tasks.find(({ number }) => number === issue)?.title ?? '';
  return (
    <section aria-label="Agents">
      <h3>Agents</h3>
      {rows.length === 0 ? <p class="quiet">No agent has worked here yet.</p> : null}
      <ul class="agents">
        {rows.map(([agent, { status, issue, waitingOn, respondingTo, clarificationId, questionId, lastActivity }]) => (
          <li key={agent}>
            <strong>{agent}</strong>
            <span class={`status ${status}`}>{status === 'blocked-clarification' ? 'blocked' : status}</span>
            <span class="what">
              {issue === null ? null : (
                <>
                  #{issue} <Title>{titleOfIssue(issue)}</Title>
                </>
              )}
              {waitingOn ? `, waits for ${nameOf(waitingOn)}` : respondingTo ? `, answers ${respondingTo}` : ''}
              {questionId ? (
                <>
                  : <Link to={{ view: 'inbox', id: questionId }}>answer</Link>
                </>
              ) : clarificationId ? (
                <>
                  : <ThreadLink id={clarificationId} records={records} />
                </>
              ) : null}
            </span>
            <time class="quiet since" dateTime={lastActivity} title={exactly(lastActivity)}>
              {ago(lastActivity, now).replace(/^(.*) ago$/, 'for $1')}
            </time>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Interrupted runs that could go on, with the command for it. */
function LeftRuns({ board: { runs, tasks }, now }: { readonly board: Board; readonly now: number }) {
  const interruptedRuns = runs.filter(({ goOn }) => goOn !== undefined);
  if (interruptedRuns.length === 0) return null;
  return (
    <section aria-label="Runs that stand still">
      <h3>Runs that stand still</h3>
      <ul class="agents">
        {interruptedRuns.map(({ issueNumber, status, ended, goOn, updatedAt }) => (
          <li key={issueNumber}>
            <strong>#{issueNumber}</strong>
            <span class={`status ${status}`}>{ended.length > 0 ? 'decided' : status}</span>
            <span class="what">
              <Title>{tasks.find(({ number }) => number === issueNumber)?.title ?? ''}</Title>{' '}
              <span class="quiet">go on with</span> <code>{goOn}</code>
            </span>
            <time class="quiet since" dateTime={updatedAt} title={exactly(updatedAt)}>
              {ago(updatedAt, now)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  );
}

const RUN_ENDS: Readonly<Record<string, string>> = { done: 'done', failed: 'failed', paused: 'waits' };

/** Work of runs that is on branches of their own, with the command that shows it. */
function Branches({ board: { branches, tasks }, now }: { readonly board: Board; readonly now: number }) {
  if (branches.length === 0) return null;
  return (
    <section aria-label="Branches to review">
      <h3>Branches to review</h3>
      <ul class="agents">
        {branches.map(({ issueNumber, status, name, base, folder, updatedAt }) => (
          <li key={name}>
            <strong>#{issueNumber}</strong>
            <span class={`status ${status}`}>{RUN_ENDS[status] ?? 'at work'}</span>
            <span class="what">
              <Title>{tasks.find(({ number }) => number === issueNumber)?.title ?? ''}</Title>{' '}
              <span class="quiet">see it with</span>{' '}
              <code>
                git diff {base.slice(0, 12)} {name}
              </code>
              {status === 'done' || status === 'failed' ? (
                <>
                  <span class="quiet">, when it is merged</span> <code>git worktree remove {folder}</code>
                </>
              ) : null}
            </span>
            <time class="quiet since" dateTime={updatedAt} title={exactly(updatedAt)}>
              {ago(updatedAt, now)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  );
}

const nameOf = (agent: string): string => (agent === 'human' ? 'you' : agent);

/** Shows the topic; the id only while the topic is not known. */
function ThreadLink({ id, records }: { readonly id: string; readonly records: readonly ListedClarification[] }) {
  return (
    <Link to={{ view: 'asks', id }}>
      <Line>{records.find((record) => record.id === id)?.topic ?? id}</Line>
    </Link>
  );
}

function BlockedIssues({ blocked, state }: { readonly blocked: readonly BlockedIssue[]; readonly state: State }) {
  if (blocked.length === 0) return null;
  const open = [...state.questions, ...state.arrived];
  return (
    <section aria-label="Blocked">
      <h3>Blocked</h3>
      <ul class="agents">
        {blocked.slice(0, SHOWN_BLOCKED).map((block) => (
          <li key={block.issue.number}>
            <strong>#{block.issue.number}</strong>
            <span class="what">
              <Title>{block.issue.title}</Title>
            </span>
            <span class="quiet">
              <Blocker block={block} open={open} state={state} />
            </span>
          </li>
        ))}
        {blocked.length > SHOWN_BLOCKED ? <li class="quiet">and {blocked.length - SHOWN_BLOCKED} more</li> : null}
      </ul>
    </section>
  );
}

interface BlockerProps {
  readonly block: BlockedIssue;
  readonly open: readonly Question[];
  readonly state: State;
}

/** What an issue waits for, as a link. */
function Blocker({ block, open, state }: BlockerProps) {
  const { clarificationId, reason } = block;
  const record = state.clarifications.find(({ id }) => id === clarificationId);
  const question = questionOf(block, open);
  const questionId = question?.id ?? block.questionId;
  if (questionId !== undefined) {
    return (
      <Link to={{ view: 'inbox', id: questionId }}>
        waits for you{question === undefined ? '' : ': '}
        {question === undefined ? null : <Title>{titleOf(question)}</Title>}
      </Link>
    );
  }
  if (clarificationId === undefined) return <Title>{inWords(reason, state.board?.tasks ?? [])}</Title>;
  return (
    <>
      waits for {record === undefined || record.status === 'escalated' ? 'an answer' : record.to}:{' '}
      <ThreadLink id={clarificationId} records={state.clarifications} />
    </>
  );
}

function questionOf({ questionId, clarificationId }: BlockedIssue, open: readonly Question[]): Question | undefined {
  return open.find(({ id, kind, sourceId }) =>
    questionId === undefined ? kind === 'escalation' && sourceId === clarificationId : id === questionId,
  );
}

/** Replaces `#58` by the title. */
function inWords(reason: string, tasks: readonly Issue[]): string {
  const why = reason.replace(/^BLOCKED: /, '');
  if (!/^#\d/.test(why)) return why;
  const withTitles = why.replaceAll(/#(\d+)/g, (mark, digits) => {
    const title = tasks.find(({ number }) => number === Number(digits))?.title;
    return title === undefined ? mark : `${mark} ${title}`;
  });
  return `waits for ${withTitles}`;
}

function Issues({ tasks }: { readonly tasks: readonly Issue[] }) {
  const statuses = new Set(tasks.map(({ status }) => status));
  // A column may have any name; those that are not ours come last.
  const usedColumns = [...COLUMNS.filter((column) => statuses.has(column)), ...statuses];
  return (
    <section aria-label="Issues">
      <h3>Issues</h3>
      {tasks.length === 0 ? (
        <p class="quiet">
          No issues yet. Make one: <code>agentx issue create -t "Health endpoint" -l type:feature</code>
        </p>
      ) : (
        <div class="columns">
          {[...new Set(usedColumns)].map((column) => (
            <Column key={column} name={column} issues={tasks.filter(({ status }) => status === column)} />
          ))}
        </div>
      )}
    </section>
  );
}

function Column({ name, issues }: { readonly name: string; readonly issues: readonly Issue[] }) {
  return (
    <div class="column">
      <h4>
        <Line>{name}</Line> <span class="quiet">{issues.length}</span>
      </h4>
      <ul class="plain">
        {issues.slice(0, SHOWN_PER_COLUMN).map(({ number, title, assignee, taskStatus }) => (
          <li key={number} class={`card ${taskStatus}`}>
            <span class="quiet">#{number}</span> <Title>{title}</Title>
            {assignee === null ? null : <span class="quiet"> {assignee}</span>}
            {taskStatus === 'blocked' ? <span class="status stale">blocked</span> : null}
          </li>
        ))}
        {issues.length > SHOWN_PER_COLUMN ? <li class="quiet">and {issues.length - SHOWN_PER_COLUMN} more</li> : null}
      </ul>
    </div>
  );
}

const KEYS: readonly (readonly [keyof Autonomy, string])[] = [
  ['scopeChanges', 'Scope changes'],
  ['architectureDecisions', 'Architecture decisions'],
  ['dependencyModifications', 'Dependencies'],
];
const LEVELS: Readonly<Record<AutonomyLevel, string>> = {
  automated: 'go ahead',
  notify_and_proceed: 'go ahead and tell you',
  requires_approval: 'wait for your approval',
};

/** What agents may do without you. */
function AutonomyLevels({ autonomy }: AutonomyBody) {
  return (
    <section aria-label="Autonomy">
      <h3>Autonomy</h3>
      <ul class="plain autonomy">
        {KEYS.map(([key, name]) => (
          <li key={key}>
            {name} <span class="quiet">{LEVELS[autonomy[key]]}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
