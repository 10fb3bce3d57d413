import { type ComponentType, lazy } from 'react';
import { loadPart } from '../data/connection.ts';

/** A component in its own chunk: `lazyPart(async () => (await import('./graph.tsx')).Graph)`. */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await loadPart(load) }));
}
