import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { RunningService } from '../../e2e/harness.ts';
import { findChromium } from './find-chromium.ts';

/** Screenshots, which are not part of the repository. */
const artifacts = fileURLToPath(new URL('../../../artifacts/browser/', import.meta.url));
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const looks = {
  dark: { colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  light: { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
} as const;
type Look = keyof typeof looks;

/** A tab of a browser at the dashboard of a service. */
export interface Tab {
  page: Page;
  /** Errors of the console, uncaught exceptions, and requests to other origins: none are expected. */
  problems: string[];
  open(path: string): Promise<void>;
  close(): Promise<void>;
}

export async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('no browser: install chromium, or set CHROMIUM');
  // The sandbox of the browser needs a user other than root, or namespaces that containers lack.
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

interface TabOptions {
  look?: Look;
  /** Default: true. */
  signedIn?: boolean;
}

export async function openTab(browser: Browser, service: RunningService, options: TabOptions = {}): Promise<Tab> {
  const { look = 'dark', signedIn = true } = options;
  // Without graphics hardware, animations cost much processor time.
  const context = await browser.newContext({ ...looks[look], reducedMotion: 'reduce' });
  context.setDefaultTimeout(20_000);
  if (signedIn) await context.addInitScript((key) => sessionStorage.setItem('sluice.key', key), service.apiKey);
  const page = await context.newPage();
  const problems = watch(context, page, service.url);
  return {
    page,
    problems,
    open: async (path) => void (await page.goto(`${service.url}${path}`)),
    close: () => context.close(),
  };
}

/** Closes the tabs of a test, and expects that none had problems. */
export async function closeTabs(tabs: Tab[]): Promise<void> {
  const problems = tabs.flatMap((tab) => tab.problems);
  await Promise.all(tabs.splice(0).map((tab) => tab.close()));
  expect(problems).toEqual([]);
}

function watch(context: BrowserContext, page: Page, origin: string): string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    // Failed requests are logged by the browser; the pages show them.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  context.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(blob|data):/.test(url)) problems.push(`request to ${url}`);
  });
  return problems;
}

/** Findings of axe that are serious or critical. */
export async function seriousFindings(page: Page): Promise<string[]> {
  // Past the policy of the page, as an extension would.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => {
    const { axe: runner } = globalThis as unknown as { axe: { run(): Promise<AxeResults> } };
    return runner.run();
  });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ''}`),
    );
}

interface InspectOptions {
  /** First part of the file names of the screenshots. */
  name: string;
  path: string;
  signedIn?: boolean;
  /** Resolves when the page shows what it should. */
  ready(page: Page): Promise<unknown>;
}

/** Saves a screenshot, and checks accessibility and the console, in each look. */
export async function inspect(
  browser: Browser,
  service: RunningService,
  { name, path, signedIn = true, ready }: InspectOptions,
): Promise<void> {
  mkdirSync(artifacts, { recursive: true });
  for (const look of Object.keys(looks) as Look[]) {
    const tab = await openTab(browser, service, { look, signedIn });
    try {
      await tab.open(path);
      await ready(tab.page);
      await tab.page.screenshot({ path: join(artifacts, `${name}-${look}.png`) });
      expect({ look, findings: await seriousFindings(tab.page) }).toEqual({ look, findings: [] });
      expect({ look, problems: tab.problems }).toEqual({ look, problems: [] });
    } finally {
      await tab.close();
    }
  }
}
