import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import type { AxeResults, RunOptions } from 'axe-core';
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

/** Rules of axe that depend on the colors of a page. */
const colorRules = ['color-contrast', 'link-in-text-block'];

/** A browser tab at the dashboard of a service. */
export interface Tab {
  page: Page;
  /** Console errors, uncaught exceptions, and requests to other origins, which are not expected. */
  problems: string[];
  open(path: string): Promise<void>;
  close(): Promise<void>;
}

export async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('no browser found: install chromium or set CHROMIUM');
  // The sandbox of the browser does not work for root, nor without namespaces, which containers
  // lack.
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}

export interface TabOptions {
  /** Default: true. */
  signedIn?: boolean;
  /**
   * Whether to open a new tab instead of reusing one, for init scripts or a cold cache. Default:
   * false.
   */
  isNew?: boolean;
}

/** Closed tabs to reuse: a renderer that has compiled the scripts loads a page at half the cost. */
const closedTabs = { signedIn: new WeakMap<Browser, Tab[]>(), signedOut: new WeakMap<Browser, Tab[]>() };

/** Opens a tab without stored data, on a large dark screen. */
export async function openTab(
  browser: Browser,
  service: RunningService,
  { signedIn = true, isNew = false }: TabOptions = {},
): Promise<Tab> {
  if (isNew) return newTab(browser, service, signedIn);
  const tabs = closedTabs[signedIn ? 'signedIn' : 'signedOut'];
  const closed = tabs.get(browser) ?? [];
  tabs.set(browser, closed);
  const tab = closed.pop() ?? (await newTab(browser, service, signedIn));
  await show(tab.page, 'dark');
  tab.problems.splice(0);
  return { ...tab, close: () => clear(tab).then(() => void closed.push(tab), tab.close) };
}

async function newTab(browser: Browser, service: RunningService, signedIn: boolean): Promise<Tab> {
  // Without a GPU, animations cost much CPU time.
  const context = await browser.newContext({ ...looks.dark, reducedMotion: 'reduce' });
  context.setDefaultTimeout(20_000);
  if (signedIn) await context.addInitScript((key) => sessionStorage.setItem('sluice.key', key), service.apiKey);
  const page = await context.newPage();
  return {
    page,
    problems: watch(context, page, service.url),
    open: async (path) => void (await page.goto(`${service.url}${path}`)),
    close: () => context.close(),
  };
}

/** Leaves the page of a tab and clears its storage. */
async function clear({ page, open }: Tab): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await open('/icon.svg');
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
}

/** Resolves in the next frame, when media queries have been evaluated. */
async function show(page: Page, look: Look): Promise<void> {
  const { colorScheme, viewport } = looks[look];
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize(viewport);
  await page.evaluate('new Promise(requestAnimationFrame)');
}

/** Closes the tabs of a test and checks that they had no problems. */
export async function closeTabs(tabs: Tab[]): Promise<void> {
  const problems = tabs.flatMap((tab) => tab.problems);
  await Promise.all(tabs.splice(0).map((tab) => tab.close()));
  expect(problems).toEqual([]);
}

function watch(context: BrowserContext, page: Page, origin: string): string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    // The browser logs failed requests; the pages show them.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  context.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(blob|data):/.test(url)) problems.push(`request to ${url}`);
  });
  return problems;
}

/** Serious and critical findings of axe, for all rules or the given ones. */
export async function seriousFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Bypasses the content security policy of the page, as an extension would.
  await page.evaluate(`if (!globalThis.axe) {${axe}\n}`);
  const { violations } = await page.evaluate((runOnly) => {
    const { axe: runner } = globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
    return runner.run({ resultTypes: ['violations'], ...(runOnly ? { runOnly: [...runOnly] } : {}) });
  }, rules);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary ?? ''}`),
    );
}

export interface InspectOptions {
  /** Prefix of the file names of the screenshots. */
  name: string;
  path: string;
  signedIn?: boolean;
  /** Resolves when the page is ready for the screenshot. */
  ready(page: Page): Promise<unknown>;
}

/** For each look, saves a screenshot and checks accessibility and the console. */
export async function inspect(
  browser: Browser,
  service: RunningService,
  { name, path, signedIn = true, ready }: InspectOptions,
): Promise<void> {
  mkdirSync(artifacts, { recursive: true });
  const tab = await openTab(browser, service, { signedIn });
  const { page, problems } = tab;
  const check = async (look: Look, rules?: readonly string[]) => {
    await ready(page);
    await page.screenshot({ path: join(artifacts, `${name}-${look}.png`) });
    expect({ look, findings: await seriousFindings(page, rules) }).toEqual({ look, findings: [] });
    expect({ look, problems }).toEqual({ look, problems: [] });
  };
  try {
    await tab.open(path);
    await check('dark');
    // The page follows the system theme, which changes only colors.
    await show(page, 'light');
    await check('light', colorRules);
    await show(page, 'phone');
    await page.reload();
    await check('phone');
  } finally {
    await tab.close();
  }
}
