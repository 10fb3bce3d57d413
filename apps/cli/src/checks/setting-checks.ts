import { findUnknownSettings } from '@sluice/config';
import type { Finding } from './finding.ts';

/** Variables that look like mistyped settings. */
export function settingFindings(variables?: Readonly<Record<string, string | undefined>>): Finding[] {
  return findUnknownSettings(variables).map(({ name, nearest }) => ({
    level: 'warning',
    check: 'unknown-setting',
    message: `${name} is not a setting of Sluice and has no effect`,
    fix: `did you mean ${nearest}? .env.example lists all settings`,
  }));
}
