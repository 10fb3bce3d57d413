import { join } from 'node:path';
import type { Config } from '@sluice/config';
import { signInMinutes } from '../administration/sign-in-link.ts';

/** A checkout runs the TypeScript sources and has no `sluice` on the path. */
const sluice = import.meta.url.endsWith('.ts') ? './dev sluice' : 'sluice';

/** The message that `sluice up` prints when everything is ready. Does not print the API key. */
export function banner(
  config: Config,
  { url, link, ownerEmail, startMs }: { url: string; link: string; ownerEmail: string; startMs: number },
): string {
  const key = config.secrets.bootstrapApiKey === null ? '' : ' (the value of BOOTSTRAP_API_KEY)';
  return [
    `Sluice is ready (${(startMs / 1000).toFixed(1)} s).`,
    `  Open  ${link}`,
    `        (signs you in as ${ownerEmail}; works once, for ${signInMinutes} minutes; new link: \`${sluice} users link\`)`,
    `  API   ${url}/api/v1`,
    `  Docs  ${url}/docs`,
    `  Key   in the header ${config.http.keyHeader}${key}; new key: \`${sluice} keys create\``,
    `  Logs  ${join(config.home, 'logs')}`,
    'Press Ctrl-C to stop.',
  ].join('\n');
}
