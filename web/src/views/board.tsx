import type { Issue } from '../../../src/protocol/issue.js';
import { plainLine } from '../../../src/render/plain-text.js';
import { show } from '../actions.js';
import { insertArrived, select } from '../list.js';
import { ago, useNow } from '../parts/clock.js';
import { Reading } from '../parts/reading.js';
import { WaitGraph } from '../parts/wait-graph.js';
import { type Blocked, type Board, change, type State } from '../state.js';

const COLUMNS = ['Backlog', 'Ready', 'In Progress', 'In Review', 'Validating', 'Done'];
const SHOWN_PER_COLUMN = 30;

export function BoardView({ state }: { readonly state: State }) {
  const now = useNow();
  const { board, clarifications } = state;
  if (board === undefined) return <Reading what="the board" state={state} />;
  return (
    <div class="view">
      <h2 class="unseen">Board</h2>
      <Agents board={board} now={now} />
      <BlockedIssues blocked={board.blocked} state={state} />
      <WaitGraph records={clarifications} />
      <Issues tasks={board.tasks} />
      <Autonomy autonomy={board.autonomy} />
    </div>
  );
}

function Agents({ board: { agents, tasks }, now }: { readonly board: Board; readonly now: number }) {
  const rows = Object.entries(agents).toSorted(([left], [right]) => (left < right ? -1 : 1));
  const titleOf = (issue: number) => plainLine(tasks.find(({ number }) => number === issue)?.title ?? '');
  return (
    <section aria-label="Agents">
      <h3>Agents</h3>
      {rows.length === 0 ? <p class="quiet">No agent has worked here yet.</p> : null}
      <ul class="agents">
        {rows.map(([agent, { status, issue, waitingOn, respondingTo, clarificationId, lastActivity }]) => (
          <li key={agent}>
            <strong>{agent}</strong>
            <span class={`status ${status}`}>{status === 'blocked-clarification' ? 'blocked' : status}</span>
            <span class="what">
              {issue === null ? '' : `#${issue} ${titleOf(issue)}`}
              {waitingOn ? `, waits for ${waitingOn} ` : respondingTo ? `, answers ${respondingTo} ` : ' '}
              {clarificationId ? <ThreadLink id={clarificationId} /> : null}
            </span>
            <span class="quiet since" title={lastActivity}>
              {ago(lastActivity, now).replace(/^(.*) ago$/, 'for $1')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ThreadLink({ id }: { readonly id: string }) {
  return (
    <button
      type="button"
      class="link"
      onClick={() => {
        change({ openThread: id });
        void show('asks');
      }}
    >
      {id}
    </button>
  );
}

function BlockedIssues({ blocked, state }: { readonly blocked: readonly Blocked[]; readonly state: State }) {
  if (blocked.length === 0) return null;
  const open = [...state.questions, ...state.arrived];
  const escalationOf = (id: string | undefined) => open.find(({ sourceId }) => sourceId === id)?.id;
  return (
    <section aria-label="Blocked">
      <h3>Blocked</h3>
      <ul class="agents">
        {blocked.map(({ issue, reason, clarificationId, questionId = escalationOf(clarificationId) }) => (
          <li key={issue.number}>
            <strong>#{issue.number}</strong>
            <span class="what">
              {plainLine(issue.title)} <span class="quiet">{plainLine(reason.replace(/^BLOCKED: /, ''))}</span>
            </span>
            {questionId === undefined ? null : <AnswerLink id={questionId} />}
            {clarificationId === undefined || questionId !== undefined ? null : <ThreadLink id={clarificationId} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

function AnswerLink({ id }: { readonly id: string }) {
  return (
    <button
      type="button"
      class="link"
      onClick={() => {
        insertArrived();
        select(id);
        void show('inbox');
      }}
    >
      waits for you
    </button>
  );
}

function Issues({ tasks }: { readonly tasks: readonly Issue[] }) {
  const known = COLUMNS.filter((column) => tasks.some(({ status }) => status === column));
  return (
    <section aria-label="Issues">
      <h3>Issues</h3>
      {tasks.length === 0 ? (
        <p class="quiet">
          No issues yet. Make one: <code>agentx issue create -t "Health endpoint" -l type:feature</code>
        </p>
      ) : (
        <div class="columns">
          {known.map((column) => (
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
        {name} <span class="quiet">{issues.length}</span>
      </h4>
      <ul class="plain">
        {issues.slice(0, SHOWN_PER_COLUMN).map(({ number, title, assignee, taskStatus }) => (
          <li key={number} class={`card ${taskStatus}`}>
            <span class="quiet">#{number}</span> {plainLine(title)}
            {assignee === null ? null : <span class="quiet"> {assignee}</span>}
            {taskStatus === 'blocked' ? <span class="status stale">blocked</span> : null}
          </li>
        ))}
        {issues.length > SHOWN_PER_COLUMN ? <li class="quiet">and {issues.length - SHOWN_PER_COLUMN} more</li> : null}
      </ul>
    </div>
  );
}

const KEYS: Readonly<Record<string, string>> = {
  scopeChanges: 'Scope changes',
  architectureDecisions: 'Architecture decisions',
  dependencyModifications: 'Dependencies',
};
const LEVELS: Readonly<Record<string, string>> = {
  automated: 'go ahead',
  notify_and_proceed: 'go ahead and tell you',
  requires_approval: 'wait for your approval',
};

/** What agents may do without you. */
function Autonomy({ autonomy }: Pick<Board, 'autonomy'>) {
  return (
    <section aria-label="Autonomy">
      <h3>Autonomy</h3>
      <ul class="plain autonomy">
        {Object.entries(KEYS).map(([key, name]) => (
          <li key={key}>
            {name} <span class="quiet">{LEVELS[autonomy[key] ?? ''] ?? autonomy[key]}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
