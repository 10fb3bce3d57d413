import { createContext, useContext } from 'react';
import type { GraphNode } from '../model/graph.ts';
import type { Values } from './values.ts';

/** The node of a field. */
interface FormContext {
  node: GraphNode;
  /** Type identifier of the service. */
  type: string;
  typeVersion: number;
  /** Top-level parameters with the defaults. */
  parameters: Values;
}

/** Name of the node. Separate: most fields need only the name, and edits change the rest. */
export const NodeNameScope = createContext('');

export const FormScope = createContext<FormContext | undefined>(undefined);

export function useForm(): FormContext {
  const context = useContext(FormScope);
  if (!context) throw new Error('a field outside of a form');
  return context;
}
