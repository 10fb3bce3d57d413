import type { Setting } from './setting.ts';
import { sections } from './settings.ts';

const header = `# All settings of Sluice with their defaults. All are optional. With invalid settings, a process does not start, and lists all of them.
# Generated from packages/config/src/settings by \`./dev env:example\`.
`;

/** The content of `.env.example`. */
export function renderEnvExample(): string {
  const blocks = Object.entries(sections).flatMap(([title, settings]) => [
    `## ${title}\n`,
    ...Object.entries(settings).map(([name, setting]) => blockOf(name, setting)),
  ]);
  return [header, ...blocks].join('\n');
}

function blockOf(name: string, { about, fallback }: Pick<Setting<unknown>, 'about' | 'fallback'>): string {
  const line = fallback === undefined ? `# ${name}=` : `${name}=${fallback}`;
  return `# ${about}\n${line}\n`;
}
