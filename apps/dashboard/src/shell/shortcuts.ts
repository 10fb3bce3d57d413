import { useEffect } from 'react';
import { isTakenElsewhere } from '../ui/key-target.ts';
import { navigation } from './navigation.ts';

/** Milliseconds within which the second key of a sequence must follow. */
const sequenceMs = 1_000;
/** Not 0: the clock starts with the page, whose first second would be within a sequence. */
const never = Number.NEGATIVE_INFINITY;

interface Shortcuts {
  openPalette(): void;
  go(to: string): void;
}

/** Mod+K opens the palette; `g` and a letter go to an area. */
export function useShortcuts({ openPalette, go }: Shortcuts): void {
  useEffect(() => {
    let startedAt = never;
    const onKeyDown = (event: KeyboardEvent) => {
      if (isPaletteKey(event)) {
        event.preventDefault();
        openPalette();
        return;
      }
      if (!isPlain(event)) return;
      const isSecond = performance.now() - startedAt < sequenceMs;
      startedAt = !isSecond && event.key === 'g' ? performance.now() : never;
      const entry = isSecond && navigation.flat().find(({ key }) => key === event.key);
      if (!entry) return;
      // Keys of the page have the same letters.
      event.preventDefault();
      go(entry.to);
    };
    addEventListener('keydown', onKeyDown, { capture: true });
    return () => removeEventListener('keydown', onKeyDown, { capture: true });
  }, [openPalette, go]);
}

function isPaletteKey({ metaKey, ctrlKey, key }: KeyboardEvent): boolean {
  return (metaKey || ctrlKey) && key.toLowerCase() === 'k';
}

function isPlain(event: KeyboardEvent): boolean {
  return !event.metaKey && !event.ctrlKey && !event.altKey && !isTakenElsewhere(event);
}
