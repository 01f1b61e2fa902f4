import type { Issue } from '../../../src/protocol/issue.js';
import { ago, useNow } from '../parts/clock.js';
import { WaitGraph } from '../parts/wait-graph.js';
import type { Board, State } from '../state.js';

const COLUMNS = ['Backlog', 'Ready', 'In Progress', 'In Review', 'Validating', 'Done'];
const SHOWN_PER_COLUMN = 30;

export function BoardView({ state }: { readonly state: State }) {
  const now = useNow();
  const { board, clarifications } = state;
  if (board === undefined) return <p class="quiet boot">Reading the board.</p>;
  return (
    <div class="board">
      <Agents agents={board.agents} now={now} />
      <WaitGraph records={clarifications} />
      <Blocked blocked={board.blocked} />
      <section aria-label="Issues">
        <h2>Issues</h2>
        {board.tasks.length === 0 ? (
          <p class="quiet">
            No issues yet. Make one: <code>agentx issue create -t "Health endpoint" -l type:feature</code>
          </p>
        ) : (
          <div class="columns">
            {COLUMNS.map((column) => (
              <Column key={column} name={column} issues={board.tasks.filter(({ status }) => status === column)} />
            ))}
          </div>
        )}
      </section>
    </div>
  );
}

function Agents({ agents, now }: { readonly agents: Board['agents']; readonly now: number }) {
  const rows = Object.entries(agents).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return (
    <section aria-label="Agents">
      <h2>Agents</h2>
      {rows.length === 0 ? <p class="quiet">No agent has worked here yet.</p> : null}
      <table class="wide">
        <tbody>
          {rows.map(([agent, { status, issue, waitingOn, respondingTo, lastActivity }]) => (
            <tr key={agent}>
              <th scope="row">{agent}</th>
              <td>
                <span class={`status ${status}`}>{status}</span>
              </td>
              <td>{issue === null ? '' : `#${issue}`}</td>
              <td>{waitingOn ? `waits for ${waitingOn}` : respondingTo ? `answers ${respondingTo}` : ''}</td>
              <td class="quiet">{ago(lastActivity, now)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Blocked({ blocked }: { readonly blocked: Board['blocked'] }) {
  if (blocked.length === 0) return null;
  return (
    <section aria-label="Blocked">
      <h2>Blocked</h2>
      <ul class="plain">
        {blocked.map(({ issue, reason }) => (
          <li key={issue.number}>
            #{issue.number} {issue.title} <span class="quiet">{reason.replace(/^BLOCKED: /, '')}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Column({ name, issues }: { readonly name: string; readonly issues: readonly Issue[] }) {
  return (
    <div class="column">
      <h3>
        {name} <span class="quiet">{issues.length}</span>
      </h3>
      <ul class="plain">
        {issues.slice(0, SHOWN_PER_COLUMN).map(({ number, title, assignee, taskStatus }) => (
          <li key={number} class={`card ${taskStatus}`}>
            <span class="quiet">#{number}</span> {title}
            {assignee === null ? null : <span class="quiet"> {assignee}</span>}
          </li>
        ))}
        {issues.length > SHOWN_PER_COLUMN ? <li class="quiet">and {issues.length - SHOWN_PER_COLUMN} more</li> : null}
      </ul>
    </div>
  );
}
