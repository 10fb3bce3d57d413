import { type ComponentType, lazy } from 'react';
import { loadPart } from '../data/connection.ts';

/** A component in a chunk of its own: `lazyPart(async () => (await import('./graph.tsx')).Graph)`. */
export function lazyPart<Props>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => ({ default: await loadPart(load) }));
}
