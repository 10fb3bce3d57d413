import { apiSettings } from './settings/api-settings.ts';
import { executionSettings } from './settings/execution-settings.ts';
import { limitSettings } from './settings/limit-settings.ts';
import { processSettings } from './settings/process-settings.ts';

/** The sections of `.env.example`, in their order. */
export const sections = {
  'Processes and connections': processSettings,
  API: apiSettings,
  'Quotas, retention, and maximum sizes': limitSettings,
  Executions: executionSettings,
} as const;

/** Every environment variable that Sluice reads. */
export const settings = { ...processSettings, ...apiSettings, ...limitSettings, ...executionSettings } as const;

export type SettingName = keyof typeof settings;
