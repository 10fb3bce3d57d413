import { settings } from './settings.ts';

const header = `# Every setting of Sluice, with its default. All are optional. A wrong one stops the process at start, named with all others.
# Made from packages/config/src/settings.ts by \`./dev env:example\`.
`;

/** The text of `.env.example`. */
export function renderEnvExample(): string {
  const blocks = Object.entries(settings).map(([name, { about, fallback }]) => {
    const line = fallback === undefined ? `# ${name}=` : `${name}=${fallback}`;
    return `# ${about}\n${line}\n`;
  });
  return [header, ...blocks].join('\n');
}
