import { cpus } from 'node:os';
import { chromium, type Page } from 'playwright-core';
import { findChromium } from '../tests/browser/support/find-chromium.ts';
import { manyExecutions } from '../tests/browser/support/many-executions.ts';
import { Fleet, ownerKey } from './fleet.ts';
import { startStack } from './stack.ts';
import { median, percentile, round } from './statistics.ts';

/*
 * The dashboard in Chromium without graphics hardware: frames per second while the list of
 * executions scrolls through 100,000 rows, and milliseconds until a workflow with 500 nodes is
 * drawn and has responded to a click. The baseline is an empty page that only counts frames. Also
 * reports the CPU time of the main thread, which depends less on other load on the machine.
 * `--quick` makes a trial run with small numbers.
 */
const rows = 100_000;
const nodes = 500;
const quick = process.argv.includes('--quick');
const rounds = quick ? 1 : 5;
const frames = quick ? 60 : 300;
/**
 * Pixels per frame: fast reading, a fast mouse wheel, ten rows, and jumps beyond the rendered rows.
 */
const steps = { reading: 20, wheel: 100, fast: 400, jumping: 12_000 };

const executablePath = findChromium();
if (executablePath === undefined) throw new Error('no browser: install chromium, or set CHROMIUM');
const stack = await startStack();
const fleet = await Fleet.start(stack, { workers: 1 });
// The browser's sandbox needs a user other than root, or namespaces that are not available in
// containers.
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  const origin = `http://127.0.0.1:${fleet.port}`;
  const id = await largeWorkflow();
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version, browser: browser.version() };
  const report = {
    machine,
    scrolling: await scrolling(origin),
    [`graphOf${nodes}Nodes`]: await opening(origin, id),
  };
  process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
} finally {
  await browser.close();
  await fleet.stop();
  await stack.stop();
}
process.exit(0);

async function openPage(scripts: readonly string[] = []): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  await context.addInitScript(`sessionStorage.setItem('sluice.key', '${ownerKey}')`);
  for (const script of scripts) await context.addInitScript(script);
  return context.newPage();
}

/**
 * Script for the page that runs `step` in each frame and returns the milliseconds between frames.
 */
function intervals(step: string): string {
  return `(async () => {
    const times = [];
    for (let frame = 0; frame <= ${frames}; frame += 1) {
      times.push(await new Promise(requestAnimationFrame));
      ${step};
    }
    return times.slice(1).map((time, index) => time - times[index]);
  })()`;
}

/** Returns a function that reads the CPU time of a page's main thread in milliseconds. */
async function processorTime(page: Page): Promise<() => Promise<number>> {
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () =>
    ((await client.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000;
}

/** Frame rate and CPU time of a page while `step` runs in each frame. */
async function measure(page: Page, step = ''): Promise<object> {
  const taskMs = await processorTime(page);
  const before = await taskMs();
  const times = (await page.evaluate(intervals(step))) as number[];
  const total = times.reduce((sum, time) => sum + time, 0);
  return {
    framesPerSecond: round((times.length * 1_000) / total, 1),
    medianMs: round(percentile(times, 0.5), 1),
    p99Ms: round(percentile(times, 0.99), 1),
    cpuMsPerFrame: round(((await taskMs()) - before) / times.length, 1),
  };
}

async function scrolling(origin: string): Promise<object> {
  const empty = await openPage();
  await empty.goto(`${origin}/favicon.svg`);
  const baseline = await measure(empty);
  await empty.context().close();
  const page = await openPage([`(${manyExecutions})(${rows})`]);
  await page.goto(`${origin}/executions`);
  await page.getByRole('row').nth(5).waitFor();
  const report: Record<string, object> = { emptyPage: baseline };
  for (const [name, pixels] of Object.entries(steps)) {
    await page.evaluate('document.querySelector("[role=table]").scrollTop = 0');
    const step = `document.querySelector('[role=table]').scrollTop += ${pixels}`;
    report[`${name}, ${pixels} px per frame`] = await measure(page, step);
  }
  await page.context().close();
  return report;
}

/** Creates a workflow with a chain of nodes in several rows. */
async function largeWorkflow(): Promise<string> {
  const name = (index: number) => (index === 0 ? 'Start' : `Step ${index}`);
  const workflow = {
    name: 'Large',
    nodes: Array.from({ length: nodes }, (_, index) => ({
      name: name(index),
      type: index === 0 ? 'base.manual-trigger' : 'base.no-op',
      position: [(index % 25) * 220, Math.floor(index / 25) * 120],
      parameters: {},
    })),
    connections: Object.fromEntries(
      Array.from({ length: nodes - 1 }, (_, index) => [
        name(index),
        { main: [[{ node: name(index + 1), type: 'main', index: 0 }]] },
      ]),
    ),
  };
  const { id } = await fleet.call<{ id: string }>('POST', '/api/v1/workflows', workflow);
  return id;
}

interface Opened {
  drawnMs: number;
  clickedMs: number;
  cpuMs: number;
}

/**
 * Median times to open a workflow by its URL with an empty cache, and by its link in the list of
 * workflows.
 */
async function opening(origin: string, id: string): Promise<object> {
  const cold: Opened[] = [];
  const fromList: Opened[] = [];
  for (let turn = 0; turn < rounds; turn += 1) {
    const page = await openPage();
    cold.push(await openWorkflow(page, () => page.goto(`${origin}/workflows/${id}`, { waitUntil: 'commit' })));
    await page.goto(`${origin}/workflows`);
    const link = page.getByRole('link', { name: 'Large' });
    await link.waitFor();
    fromList.push(await openWorkflow(page, () => link.click()));
    await page.context().close();
  }
  return { emptyCache: medians(cold), fromList: medians(fromList) };
}

/** Measures the times since `open` was called. */
async function openWorkflow(page: Page, open: () => Promise<unknown>): Promise<Opened> {
  const taskMs = await processorTime(page);
  const before = await taskMs();
  const startedAt = performance.now();
  await open();
  const node = page.locator('.react-flow__node[data-id="Step 1"]');
  await node.waitFor();
  const drawnMs = performance.now() - startedAt;
  await node.click();
  await page.getByRole('region', { name: 'Node Step 1' }).waitFor();
  return { drawnMs, clickedMs: performance.now() - startedAt, cpuMs: (await taskMs()) - before };
}

function medians(opened: readonly Opened[]): Opened {
  const medianOf = (key: keyof Opened) => round(median(opened.map((times) => times[key])), 0);
  return { drawnMs: medianOf('drawnMs'), clickedMs: medianOf('clickedMs'), cpuMs: medianOf('cpuMs') };
}
