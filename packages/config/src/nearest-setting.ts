import leven from 'leven';
import { type SettingName, settings } from './settings.ts';

/**
 * Maximum number of differing letters in a short name and in a long name: `HOME` is not a mistyped
 * `HOST`.
 */
const allowed = { short: 1, long: 2 };
const longName = 9;
const shortestName = 5;

/**
 * The setting that a variable's name was probably meant to be; `undefined` if it does not resemble
 * any.
 */
export function nearestSetting(name: string): SettingName | undefined {
  const upper = name.toUpperCase().replaceAll('-', '_');
  if (upper.length < shortestName) return undefined;
  const limit = upper.length < longName ? allowed.short : allowed.long;
  const candidates = (Object.keys(settings) as SettingName[]).map((setting) => ({ setting, distance: leven(upper, setting) }));
  const [best] = candidates.sort((a, b) => a.distance - b.distance);
  return best && best.distance <= limit ? best.setting : undefined;
}
