import { afterAll, afterEach } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type RunningService, type Settings, startService } from '../../e2e/harness.ts';
import { closeTabs, type InspectOptions, inspect, launchBrowser, openTab, type Tab, type TabOptions } from './browser.ts';

/** The dashboard of a service, for the tests of a file. */
export interface Dashboard {
  readonly service: RunningService;
  /** Opens a tab that is closed after the test. The test fails if the tab had problems. */
  openTab(options?: TabOptions): Promise<Tab>;
  /** Opens a page in a new tab of that kind. */
  open(path: string, options?: TabOptions): Promise<Page>;
  inspect(options: InspectOptions): Promise<void>;
}

/** Starts a service and a browser for the tests of a file, and stops them after the last test. */
export async function startDashboard(settings: Settings = {}): Promise<Dashboard> {
  const [service, browser] = await Promise.all([startService({ settings }), launchBrowser()]);
  const tabs: Tab[] = [];
  afterEach(() => closeTabs(tabs));
  afterAll(async () => {
    await browser.close();
    await service.dispose();
  });
  const open = async (options?: TabOptions) => {
    const tab = await openTab(browser, service, options);
    tabs.push(tab);
    return tab;
  };
  return {
    service,
    openTab: open,
    async open(path, options) {
      const tab = await open(options);
      await tab.open(path);
      return tab.page;
    },
    inspect: (options) => inspect(browser, service, options),
  };
}
