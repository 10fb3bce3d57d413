import { join } from 'node:path';
import type { Config } from '@sluice/config';
import { signInMinutes } from '../administration/sign-in-link.ts';

/** A checkout runs the TypeScript sources and has no `sluice` on the path. */
const sluice = import.meta.url.endsWith('.ts') ? './dev sluice' : 'sluice';

/** Shown to users when everything is ready. A key that they set themselves is not repeated. */
export function banner(
  config: Config,
  { url, link, ownerEmail, startMs }: { url: string; link: string; ownerEmail: string; startMs: number },
): string {
  const key = config.secrets.bootstrapApiKey === null ? '' : ' (the one of BOOTSTRAP_API_KEY)';
  return [
    `Sluice is ready (${(startMs / 1000).toFixed(1)} s).`,
    `  Open  ${link}`,
    `        (signs you in as ${ownerEmail}, once, within ${signInMinutes} minutes; another one: \`${sluice} users link\`)`,
    `  API   ${url}/api/v1`,
    `  Docs  ${url}/docs`,
    `  Key   in the header ${config.http.keyHeader}${key}; lost: \`${sluice} keys create\` makes another`,
    `  Logs  ${join(config.home, 'logs')}`,
    'Ctrl-C stops it.',
  ].join('\n');
}
