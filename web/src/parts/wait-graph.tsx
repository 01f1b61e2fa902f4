import type { ListedClarification } from '../../../src/protocol/rest.js';
import { plainLine } from '../../../src/render/plain-text.js';

const WIDTH = 480;
const HEIGHT = 240;
/** Half a node. */
const NODE = { x: 60, y: 15 };

interface Edge {
  readonly from: string;
  readonly to: string;
  readonly topics: readonly string[];
}

/** Which agent waits for which; not drawn if none waits. A cycle is red. */
export function WaitGraph({ records }: { readonly records: readonly ListedClarification[] }) {
  const waitingRecords = records.filter(
    ({ blocking, status }) => blocking && (status === 'pending' || status === 'stale'),
  );
  if (waitingRecords.length === 0) return null;
  const edges = edgesOf(waitingRecords);
  const names = [...new Set(edges.flatMap(({ from, to }) => [from, to]))].toSorted();
  const place = new Map(names.map((name, index) => [name, positionOf(index, names.length)]));
  const description = edges.map(({ from, to, topics }) => `${from} waits for ${to}: ${topics.join(', ')}`).join('; ');
  return (
    <section aria-label="Who waits for whom">
      <h3>Who waits for whom</h3>
      {edges.some((edge) => leadsBack(edge, edges)) ? (
        <p class="cycle-note">The red ones wait in a circle: one of them goes to a human.</p>
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: on a narrow screen it scrolls, by key as well */}
      <div class="chart" tabIndex={0}>
        <svg class="graph" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={description}>
          <defs>
            {['head', 'head-cycle'].map((id) => (
              <marker
                key={id}
                id={id}
                viewBox="0 0 8 8"
                refX="7"
                refY="4"
                markerWidth="7"
                markerHeight="7"
                orient="auto"
              >
                <path class={id} d="M0 0 L8 4 L0 8 z" />
              </marker>
            ))}
          </defs>
          {edges.map((edge) => (
            <Arrow
              key={`${edge.from} ${edge.to}`}
              edge={edge}
              place={place}
              isCycle={leadsBack(edge, edges)}
              isMutual={edges.some(({ from, to }) => from === edge.to && to === edge.from)}
            />
          ))}
          {[...place].map(([name, { x, y }]) => (
            <g key={name} transform={`translate(${x} ${y})`}>
              <rect x={-NODE.x} y={-NODE.y} width={NODE.x * 2} height={NODE.y * 2} rx="6" />
              <text text-anchor="middle" y="5">
                {name}
              </text>
            </g>
          ))}
        </svg>
      </div>
    </section>
  );
}

function edgesOf(records: readonly ListedClarification[]): readonly Edge[] {
  const edges = new Map<string, Edge>();
  for (const { from, to, topic } of records) {
    const key = `${from} ${to}`;
    edges.set(key, { from, to, topics: [...(edges.get(key)?.topics ?? []), plainLine(topic)] });
  }
  return [...edges.values()];
}

/** Whether following the arrows from its end leads to its beginning. */
function leadsBack({ from, to }: Edge, edges: readonly Edge[]): boolean {
  const reachedAgents = new Set([to]);
  for (const name of reachedAgents) for (const edge of edges) if (edge.from === name) reachedAgents.add(edge.to);
  return reachedAgents.has(from);
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function positionOf(index: number, count: number): Point {
  const angle = (index / count) * 2 * Math.PI - Math.PI / 2;
  return {
    x: WIDTH / 2 + Math.cos(angle) * (WIDTH / 2 - NODE.x - 12),
    y: HEIGHT / 2 + Math.sin(angle) * (HEIGHT / 2 - NODE.y - 10),
  };
}

interface ArrowProps {
  readonly edge: Edge;
  readonly place: ReadonlyMap<string, Point>;
  readonly isCycle: boolean;
  /** Whether there is an arrow back. */
  readonly isMutual: boolean;
}

function Arrow({ edge, place, isCycle, isMutual }: ArrowProps) {
  const start = place.get(edge.from);
  const end = place.get(edge.to);
  if (start === undefined || end === undefined) return null;
  const length = Math.hypot(end.x - start.x, end.y - start.y) || 1;
  const unit = { x: (end.x - start.x) / length, y: (end.y - start.y) / length };
  // Two agents that wait for each other get an arrow each, side by side.
  const shift = isMutual ? 8 : 0;
  const side = { x: -unit.y * shift, y: unit.x * shift };
  // From the border of one node to the border of the other.
  const [gapX, gapY] = [NODE.x + Math.abs(side.x), NODE.y + Math.abs(side.y)];
  const gap = Math.min(gapX / Math.abs(unit.x || 1e-9), gapY / Math.abs(unit.y || 1e-9)) + 6;
  return (
    <line
      class={isCycle ? 'edge cycle' : 'edge'}
      x1={start.x + unit.x * gap + side.x}
      y1={start.y + unit.y * gap + side.y}
      x2={end.x - unit.x * gap + side.x}
      y2={end.y - unit.y * gap + side.y}
      marker-end={isCycle ? 'url(#head-cycle)' : 'url(#head)'}
    />
  );
}
