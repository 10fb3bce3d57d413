import { createPreference } from '../data/preferences.ts';

type Theme = 'system' | 'light' | 'dark';

export const theme = createPreference<Theme>('theme', 'system');

const dark = matchMedia('(prefers-color-scheme: dark)');

export function isDark(): boolean {
  return theme.get() === 'dark' || (theme.get() === 'system' && dark.matches);
}

/** Keeps the document in the chosen theme, or in the system's theme. */
export function applyTheme(): void {
  const apply = () => {
    document.documentElement.dataset['theme'] = isDark() ? 'dark' : 'light';
  };
  apply();
  theme.subscribe(apply);
  dark.addEventListener('change', apply);
}
