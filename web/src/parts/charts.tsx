import type { DigestDay } from '../../../src/protocol/digest.js';

const SPARK = { width: 120, height: 28 };

/** A line over the weeks; weeks without a figure leave a gap. */
export function Sparkline({
  values,
  description,
}: {
  readonly values: readonly (number | null)[];
  readonly description: string;
}) {
  const figures = values.flatMap((value) => value ?? []);
  const most = Math.max(...figures, 0.0001);
  const point = (value: number, index: number) => ({
    x: 4 + (index / Math.max(1, values.length - 1)) * (SPARK.width - 8),
    y: SPARK.height - 4 - (value / most) * (SPARK.height - 8),
  });
  const points = values.map((value, index) => (value === null ? undefined : point(value, index)));
  const path = points
    .map((current, index) =>
      current === undefined ? '' : `${points[index - 1] === undefined ? 'M' : 'L'}${current.x} ${current.y}`,
    )
    .join('');
  const last = points.at(-1);
  return (
    <svg class="spark" viewBox={`0 0 ${SPARK.width} ${SPARK.height}`} role="img" aria-label={description}>
      <path d={`M0 ${SPARK.height - 1}H${SPARK.width}`} class="base" />
      <path d={path} class="trend" />
      {last === undefined ? null : <circle cx={last.x} cy={last.y} r="3" />}
    </svg>
  );
}

const CHART = { width: 960, height: 180, foot: 24, head: 20, left: 28 };

/** Clarifications asked and escalated, day by day. */
export function DaysChart({ days }: { readonly days: readonly DigestDay[] }) {
  const ticks = evenTicks(Math.max(4, ...days.map(({ asked, escalated }) => Math.max(asked, escalated))));
  const most = ticks.at(-1) ?? 1;
  const width = (CHART.width - CHART.left) / Math.max(1, days.length);
  const scale = (count: number) => (count / most) * (CHART.height - CHART.foot - CHART.head);
  const busy = days.filter(({ asked, escalated }) => asked + escalated > 0);
  const description = busy.map(({ date, asked, escalated }) => `${date}: ${asked} asked, ${escalated} escalated`);
  return (
    <figure>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: on a narrow screen it scrolls, by key as well */}
      <div class="chart" tabIndex={0} ref={showNewest}>
        <svg
          viewBox={`0 0 ${CHART.width} ${CHART.height}`}
          role="img"
          aria-label={description.length === 0 ? 'Nothing was asked.' : description.join('; ')}
        >
          {ticks.map((tick) => (
            <g key={tick} transform={`translate(0 ${CHART.height - CHART.foot - scale(tick)})`}>
              <path d={`M${CHART.left} 0H${CHART.width}`} class="base" />
              <text x={CHART.left - 6} y="4" text-anchor="end">
                {tick}
              </text>
            </g>
          ))}
          {days.map(({ date, asked, escalated }, index) => (
            <g key={date} transform={`translate(${CHART.left + index * width} 0)`}>
              <Bar name="bar" width={width} height={scale(asked)} />
              <Bar name="bar escalated" width={width} height={scale(escalated)} />
              {index % 7 === 0 ? (
                <text x={2} y={CHART.height - 6}>
                  {dayText(date)}
                </text>
              ) : null}
            </g>
          ))}
        </svg>
      </div>
      <figcaption class="quiet">
        <span class="key asked" /> asked <span class="key escalated" /> went to a human
      </figcaption>
    </figure>
  );
}

const MAX_STEPS = 4;

/** Whole numbers from 0 to the largest value, evenly spaced: 0, 2, 4, 6. */
function evenTicks(most: number): readonly number[] {
  let step = 1;
  for (let size = 1; most / step > MAX_STEPS; size *= 10) {
    step = [2 * size, 5 * size].find((candidate) => most / candidate <= MAX_STEPS) ?? 10 * size;
  }
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step);
}

/** Days are those of UTC, as the figures are. */
function dayText(date: string): string {
  return new Date(date).toLocaleDateString(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
}

function showNewest(box: HTMLElement | null): void {
  if (box !== null) box.scrollLeft = box.scrollWidth;
}

function Bar({ name, width, height }: { readonly name: string; readonly width: number; readonly height: number }) {
  if (height === 0) return null;
  return (
    <rect class={name} x={width * 0.15} y={CHART.height - CHART.foot - height} width={width * 0.7} height={height} />
  );
}
