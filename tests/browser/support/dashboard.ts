import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type RunningService, type Settings, startService } from '../../e2e/harness.ts';
import { closeTabs, type InspectOptions, inspect, launchBrowser, openTab, type Tab, type TabOptions } from './browser.ts';

/** The dashboard of a service, for the tests of a file. */
export interface Dashboard {
  /** Available from `beforeAll` on. */
  readonly service: RunningService;
  /** Opens a tab that is closed after the test. The test fails if the tab had problems. */
  openTab(options?: TabOptions): Promise<Tab>;
  /** Opens a page in such a tab. */
  open(path: string, options?: TabOptions): Promise<Page>;
  inspect(options: InspectOptions): Promise<void>;
}

/** Starts a service and a browser before the tests of a file, and stops them after the last one. */
export function useDashboard(settings: Settings = {}): Dashboard {
  let browser: Browser;
  let service: RunningService;
  const tabs: Tab[] = [];
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService({ settings }), launchBrowser()]);
  });
  afterEach(() => closeTabs(tabs));
  afterAll(async () => {
    await browser?.close();
    await service?.dispose();
  });
  const open = async (options?: TabOptions) => {
    const tab = await openTab(browser, service, options);
    tabs.push(tab);
    return tab;
  };
  return {
    get service() {
      return service;
    },
    openTab: open,
    async open(path, options) {
      const tab = await open(options);
      await tab.open(path);
      return tab.page;
    },
    inspect: (options) => inspect(browser, service, options),
  };
}
