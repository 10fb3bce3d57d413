import { settings } from './settings.ts';

const header = `# All settings of Sluice with their defaults. All are optional. With invalid settings, a process does not start, and lists all of them.
# Generated from packages/config/src/settings.ts by \`./dev env:example\`.
`;

/** The content of `.env.example`. */
export function renderEnvExample(): string {
  const blocks = Object.entries(settings).map(([name, { about, fallback }]) => {
    const line = fallback === undefined ? `# ${name}=` : `${name}=${fallback}`;
    return `# ${about}\n${line}\n`;
  });
  return [header, ...blocks].join('\n');
}
