import { readEnv, toConfig } from '@sluice/config';
import { noteForAudit } from '@sluice/db';
import type { Terminal } from '../terminal.ts';
import { administer } from './administer.ts';
import { findUserOrOwner } from './find-user.ts';
import { printResult } from './print-result.ts';
import { createSignInLink, signInMinutes } from './sign-in-link.ts';

export interface LinkUserOptions {
  /** Email or ID; default: the owner. */
  user?: string;
  json: boolean;
}

/** Prints a one-time link that signs a user in to the dashboard. */
export async function linkUser(options: LinkUserOptions, terminal: Terminal): Promise<void> {
  const { email, url } = await administer('user.link', async (db) => {
    const user = await findUserOrOwner(db, options.user);
    noteForAudit({ objectId: user.id, objectName: user.email });
    return { email: user.email, url: await createSignInLink(db, user.id, toConfig(readEnv())) };
  });
  printResult(terminal, {
    json: options.json,
    document: { email, url },
    lines: [
      ['user', email],
      ['valid', `once, for ${signInMinutes} minutes`],
      ['link', url],
    ],
  });
}
