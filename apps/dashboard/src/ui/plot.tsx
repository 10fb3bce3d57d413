import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import './plot.css';

export interface PlotSeries {
  label: string;
  values: readonly (number | null)[];
  /** Name of a color variable, without dashes: `success`. */
  color: string;
}

interface PlotProps {
  /** Summary for screen readers. */
  label: string;
  /** Seconds since the epoch. */
  times: readonly number[];
  series: readonly PlotSeries[];
  /** Bars that are stacked in the order of the series; default: lines. */
  stacked?: boolean;
  /** Text of values, for the axis and below the pointer. */
  format(value: number): string;
  /** Minimum for the upper end of the axis. */
  min?: number;
  height?: number;
}

interface Hover {
  index: number;
  left: number;
}

/** A plot over time. All plots of a page show the same time. Loaded with pages that need it. */
export function Plot(props: PlotProps) {
  const { label, times, series, format, height = 180 } = props;
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const [hover, setHover] = useState<Hover>();
  const shape = JSON.stringify([series.map(({ label: name, color }) => [name, color]), props.stacked, props.min, height]);
  const latest = useRef(props);
  latest.current = props;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another shape is another plot; data is set below
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const create = () => {
      plot.current?.destroy();
      plot.current = new uPlot(optionsOf(latest.current, element.clientWidth, setHover), dataOf(latest.current), element);
    };
    create();
    const size = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height }));
    size.observe(element);
    const theme = new MutationObserver(create);
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      size.disconnect();
      theme.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [shape]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the data is made from these
  useEffect(() => plot.current?.setData(dataOf(latest.current)), [times, series]);

  const at = hover && times[hover.index];
  return (
    <div className="plot" role="img" aria-label={label} style={{ height }}>
      <div ref={frame} />
      {hover && at !== undefined && (
        <div className="plot-tip" style={hover.left > (frame.current?.clientWidth ?? 0) / 2 ? { left: 52 } : { right: 8 }}>
          <strong>{new Date(at * 1000).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })}</strong>
          {series.map(({ label: name, values, color }) => {
            const value = values[hover.index];
            return (
              <span key={name} className="row">
                <span className="dot" style={{ background: `var(--${color})` }} />
                <span className="grow">{name}</span>
                {value === null || value === undefined ? '–' : format(value)}
              </span>
            );
          })}
        </div>
      )}
    </div>
  );
}

/** Stacked series are drawn from the sum of all down to the first, each over the one before. */
function dataOf({ times, series, stacked = false }: PlotProps): uPlot.AlignedData {
  if (!stacked) return [[...times], ...series.map(({ values }) => [...values])] as uPlot.AlignedData;
  const sums = series.map((_, last) =>
    times.map((_time, at) => series.slice(0, last + 1).reduce((sum, { values }) => sum + (values[at] ?? 0), 0)),
  );
  return [[...times], ...sums.reverse()] as uPlot.AlignedData;
}

/** Distances between the ticks of a count axis: half an execution does not exist. */
const wholeSteps = Array.from({ length: 9 }, (_, digits) => [1, 2, 5].map((step) => step * 10 ** digits)).flat();

function optionsOf(props: PlotProps, width: number, onHover: (hover: Hover | undefined) => void): uPlot.Options {
  const { series, stacked = false, format, min = 0, height = 180 } = props;
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const axis = { stroke: color('text-2'), font: '11px Inter, system-ui, sans-serif', ticks: { show: false } };
  const grid = { stroke: color('border'), width: 1 };
  const lines = series.map(
    ({ label, color: name }): uPlot.Series => ({
      label,
      stroke: color(name),
      spanGaps: false,
      ...(stacked
        ? {
            fill: color(name),
            width: 0,
            points: { show: false },
            ...(uPlot.paths.bars && { paths: uPlot.paths.bars({ size: [0.72, 24], radius: 0.12 }) }),
          }
        : { width: 1.6, points: { show: true, size: 5, width: 0, fill: color(name) } }),
    }),
  );
  return {
    width,
    height,
    padding: [10, 10, 0, 0],
    legend: { show: false },
    cursor: { sync: { key: 'plots' }, drag: { x: false, y: false }, points: { show: !stacked }, y: false },
    scales: {
      y: { range: (_plot, _low, high) => [0, Math.max(min, (high ?? 0) * 1.1) || 1] },
      x: { range: ({ data: [times] }, from, to) => [from - stepOf(times) / 2, to + stepOf(times) / 2] },
    },
    axes: [
      {
        ...axis,
        size: 28,
        grid: { show: false },
        values: ({ data: [times] }, splits) => splits.map((time) => formatTick(time, times)),
      },
      {
        ...axis,
        grid,
        size: 52,
        ...(stacked && { incrs: wholeSteps }),
        values: (_plot, splits) => splits.map((value) => format(value)),
      },
    ],
    series: [{}, ...(stacked ? lines.reverse() : lines)],
    hooks: {
      setCursor: [
        ({ cursor: { idx, left = 0 } }) =>
          onHover(idx === null || idx === undefined || left < 0 ? undefined : { index: idx, left }),
      ],
    },
  };
}

/** Seconds between two values. */
const stepOf = (times: ArrayLike<number>) => (times[1] ?? 0) - (times[0] ?? 0);

function formatTick(seconds: number, times: ArrayLike<number>): string {
  const date = new Date(seconds * 1000);
  if (stepOf(times) * times.length > 2 * 86_400) return date.toLocaleDateString(undefined, { month: 'short', day: 'numeric' });
  return date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}
