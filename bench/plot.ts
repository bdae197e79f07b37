/** Small charts as SVG, readable on a light and on a dark page. */

export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Chart {
  readonly title: string;
  readonly unit: string;
  readonly series: readonly Series[];
}

const [WIDTH, HEIGHT, LEFT, TOP, BOTTOM] = [360, 240, 50, 40, 34];
const COLOURS = ['#2f81f7', '#d29922', '#8957e5', '#3fb950'];
const GREY = '#8b949e';

/** Both axes logarithmic: a straight line with a slope of one is growth in step. */
export function growthChart({ title, unit, series }: Chart): string {
  const points = series.flatMap((each) => each.points);
  const x = scale(
    points.map(([value]) => value),
    LEFT,
    WIDTH - 20,
  );
  const y = scale(
    points.map(([, value]) => value),
    HEIGHT - BOTTOM,
    TOP,
  );
  const lines = series.map(({ points: own }, index) => {
    const colour = COLOURS[index % COLOURS.length];
    const path = own.map(([a, b]) => `${x(a)},${y(b)}`).join(' ');
    const dots = own.map(
      ([a, b]) =>
        `<circle cx="${x(a)}" cy="${y(b)}" r="3" fill="${colour}"/>${text(x(a), y(b) - 8, short(b), 'middle')}`,
    );
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join('')}`;
  });
  const ticks = [...new Set(points.map(([value]) => value))].map((value) =>
    text(x(value), HEIGHT - BOTTOM + 18, value.toLocaleString('en'), 'middle'),
  );
  return svg(WIDTH, HEIGHT, [text(LEFT, 20, `${title}, ${unit}`, 'start'), ...lines, ...ticks]);
}

/** One group of bars for each series, one bar for each of its points, named in order. */
export function barChart({ title, unit, series }: Chart, names: readonly string[]): string {
  const most = Math.max(...series.flatMap(({ points }) => points.map(([, value]) => value)));
  const rowHeight = 16;
  const groups = series.map(({ name, points }, group) => {
    const top = 44 + group * (points.length * rowHeight + 30);
    const bars = points.map(([, value], index) => {
      const y = top + 6 + index * rowHeight;
      const width = Math.max(1, (value / most) * 300);
      const bar = `<rect x="130" y="${y}" width="${width.toFixed(1)}" height="11" fill="${COLOURS[index % COLOURS.length]}"/>`;
      return bar + text(124, y + 10, names[index] ?? '', 'end') + text(136 + width, y + 10, short(value), 'start');
    });
    return text(10, top, name, 'start') + bars.join('');
  });
  const rows = series.reduce((sum, { points }) => sum + points.length * rowHeight + 30, 0);
  return svg(490, 44 + rows, [text(10, 20, `${title}, ${unit}`, 'start'), ...groups]);
}

function scale(values: readonly number[], from: number, to: number): (value: number) => number {
  const [low, high] = [Math.log(Math.min(...values)), Math.log(Math.max(...values))];
  return (value) => Math.round(from + ((Math.log(value) - low) / (high - low || 1)) * (to - from));
}

function short(value: number): string {
  return value >= 10 ? value.toFixed(0) : value.toPrecision(2);
}

function text(x: number, y: number, words: string, anchor: 'start' | 'middle' | 'end'): string {
  return `<text x="${Math.round(x)}" y="${Math.round(y)}" text-anchor="${anchor}">${words}</text>`;
}

function svg(width: number, height: number, parts: readonly string[]): string {
  const open = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" font-family="sans-serif" font-size="11" fill="${GREY}">`;
  return `${[open, ...parts, '</svg>'].join('\n')}\n`;
}
