import { useEffect } from 'react';
import { navigation } from './navigation.ts';

/** Milliseconds within which the second key of a sequence must follow. */
const sequenceMs = 1_000;

interface Shortcuts {
  openPalette(): void;
  go(to: string): void;
}

/** Mod+K opens the palette; `g` and a letter go to an area. */
export function useShortcuts({ openPalette, go }: Shortcuts): void {
  useEffect(() => {
    let startedAt = 0;
    const onKeyDown = (event: KeyboardEvent) => {
      if (isPaletteKey(event)) {
        event.preventDefault();
        openPalette();
        return;
      }
      if (!isPlain(event)) return;
      const isSecond = performance.now() - startedAt < sequenceMs;
      startedAt = !isSecond && event.key === 'g' ? performance.now() : 0;
      const entry = isSecond && navigation.flat().find(({ key }) => key === event.key);
      if (entry) go(entry.to);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [openPalette, go]);
}

function isPaletteKey({ metaKey, ctrlKey, key }: KeyboardEvent): boolean {
  return (metaKey || ctrlKey) && key.toLowerCase() === 'k';
}

/** Without modifiers, and not into a field. */
function isPlain({ metaKey, ctrlKey, altKey, target }: KeyboardEvent): boolean {
  if (metaKey || ctrlKey || altKey) return false;
  return !(target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select')));
}
