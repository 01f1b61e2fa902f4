import type { ListedClarification } from '../../../src/protocol/rest.js';
import { fitInto } from '../../../src/protocol/shorten.js';
import { plainLine } from '../../../src/render/plain-text.js';

const MAX_NAME = 28;
const NODE_HEIGHT = 30;
/** So many agents stand around a circle of the smallest size without touching. */
const FEW = 6;

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
  const size = sizeFor(names);
  const place = new Map(names.map((name, index) => [name, positionOf(index, size)]));
  const description = edges.map(({ from, to, topics }) => `${from} waits for ${to}: ${topics.join(', ')}`).join('; ');
  return (
    <section aria-label="Who waits for whom">
      <h3>Who waits for whom</h3>
      {edges.some((edge) => leadsBack(edge, edges)) ? (
        <p class="cycle-note">The red ones wait in a circle: one of them goes to a human.</p>
      ) : null}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: on a narrow screen it scrolls, by key as well */}
      <div class="chart" tabIndex={0}>
        <svg
          class="graph"
          viewBox={`0 0 ${size.width} ${size.height}`}
          style={{ maxWidth: `${size.width}px`, minWidth: `${size.width * SMALLEST}px` }}
          role="img"
          aria-label={description}
        >
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
              size={size}
              isCycle={leadsBack(edge, edges)}
              isMutual={edges.some(({ from, to }) => from === edge.to && to === edge.from)}
            />
          ))}
          {[...place].map(([name, { x, y }]) => (
            <g key={name} transform={`translate(${x} ${y})`}>
              <rect x={-size.node.x} y={-size.node.y} width={size.node.x * 2} height={size.node.y * 2} rx="6" />
              <text text-anchor="middle" y="5">
                {fitInto(name, MAX_NAME)}
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

/** Below this the names could not be read; the picture scrolls instead. */
const SMALLEST = 0.8;

interface Size {
  readonly count: number;
  readonly width: number;
  readonly height: number;
  /** From the middle of a node to its borders. */
  readonly node: Point;
}

/** The longest name fits into its node, and however many nodes there are, none touches another. */
function sizeFor(names: readonly string[]): Size {
  const longest = Math.min(MAX_NAME, Math.max(...names.map(({ length }) => length)));
  const node = { x: Math.max(60, longest * 3.7 + 8), y: NODE_HEIGHT / 2 };
  const spread = Math.max(1, names.length / FEW);
  return {
    count: names.length,
    width: 2 * (node.x * (2.8 * spread + 1) + 12),
    height: 2 * (95 * spread + node.y + 10),
    node,
  };
}

function positionOf(index: number, { count, width, height, node }: Size): Point {
  const angle = (index / count) * 2 * Math.PI - Math.PI / 2;
  return {
    x: width / 2 + Math.cos(angle) * (width / 2 - node.x - 12),
    y: height / 2 + Math.sin(angle) * (height / 2 - node.y - 10),
  };
}

interface ArrowProps {
  readonly edge: Edge;
  readonly place: ReadonlyMap<string, Point>;
  readonly size: Size;
  readonly isCycle: boolean;
  /** Whether there is an arrow back. */
  readonly isMutual: boolean;
}

function Arrow({ edge, place, size: { node }, isCycle, isMutual }: ArrowProps) {
  const start = place.get(edge.from);
  const end = place.get(edge.to);
  if (start === undefined || end === undefined) return null;
  const length = Math.hypot(end.x - start.x, end.y - start.y) || 1;
  const unit = { x: (end.x - start.x) / length, y: (end.y - start.y) / length };
  // Two agents that wait for each other get an arrow each, side by side.
  const shift = isMutual ? 8 : 0;
  const side = { x: -unit.y * shift, y: unit.x * shift };
  // From the border of one node to the border of the other.
  const [gapX, gapY] = [node.x + Math.abs(side.x), node.y + Math.abs(side.y)];
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
