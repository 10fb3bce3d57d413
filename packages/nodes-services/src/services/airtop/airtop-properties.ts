import type { NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, text } from '@sluice/nodes-base/node-tools';

const idProperty = (name: string, displayName: string, what: string): NodeProperty =>
  text(name, displayName, `ID of the ${what}; default: \`${name}\` of the item`);

export const sessionId = idProperty('sessionId', 'Session ID', 'session');
export const windowId = idProperty('windowId', 'Window ID', 'window');
export const windowIds: readonly NodeProperty[] = [sessionId, windowId];

export const profileName = text('profileName', 'Profile Name', 'Profile with cookies and storage of earlier sessions');
export const url = text('url', 'URL', 'Address of the page');

export const waitUntil = choice(
  'waitUntil',
  'Wait Until',
  choices(
    ['load', 'Load', 'The page and its scripts are loaded'],
    ['domContentLoaded', 'DOM Content Loaded', 'The page is loaded, without its images'],
    ['complete', 'Complete', 'All requests of the page ended'],
    ['noWait', 'No Wait'],
  ),
);

export const more = (...members: readonly NodeProperty[]): NodeProperty =>
  collection('additionalFields', 'Additional Fields', members);

export const visualScope = choice(
  'visualScope',
  'Visual Scope',
  choices(['auto', 'Auto'], ['page', 'Page'], ['scan', 'Scan'], ['viewport', 'Viewport']),
  { description: 'Part of the page in which the element is looked for' },
);
