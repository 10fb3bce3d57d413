import { settings } from './settings.ts';

const header = `# All settings of Sluice with their defaults. All are optional. An invalid one stops the process at startup, which names all invalid settings.
# Generated from packages/config/src/settings.ts by \`./dev env:example\`.
`;

/** The text of `.env.example`. */
export function renderEnvExample(): string {
  const blocks = Object.entries(settings).map(([name, { about, fallback }]) => {
    const line = fallback === undefined ? `# ${name}=` : `${name}=${fallback}`;
    return `# ${about}\n${line}\n`;
  });
  return [header, ...blocks].join('\n');
}
