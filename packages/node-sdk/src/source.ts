import type { JsonObject } from '@sluice/domain';
import type { BinaryAccess } from './binary.ts';
import type { ExecuteContext, SharedDataAccess } from './context.ts';

/**
 * Common context of polls and listeners, while their workflow is active. There is no execution and
 * there are no items: parameters are resolved at the start, their expressions see the workflow,
 * `$vars`, and `$env`, and the item index of `parameter`, `credentials`, and `authentication` is 0.
 * Errors are those of `ExecuteContext`.
 */
export interface SourceContext
  extends Pick<
    ExecuteContext,
    | 'node'
    | 'typeVersion'
    | 'workflow'
    | 'logger'
    | 'http'
    | 'connect'
    | 'files'
    | 'parameter'
    | 'credentials'
    | 'authentication'
    | 'hideSecret'
    | 'relatives'
  > {
  /**
   * Position of the node in its source (an id, an instant); `undefined` at first. It survives
   * deactivation. Reset when the type, the parameters (except the poll times), or the credentials
   * of the node change in the active version.
   */
  readonly cursor: Readonly<JsonObject> | undefined;
  readonly sharedData?: SharedDataAccess | undefined;
  /**
   * Stores files for items; `open` reads them until an execution starts. An execution that starts
   * with such an item owns its file from then on. Other files are deleted later.
   */
  readonly binary: Pick<BinaryAccess, 'store'> & Partial<Pick<BinaryAccess, 'open'>>;
  /** As in a run; absent if there are no expressions. */
  readonly evaluateText?: ExecuteContext['evaluateText'];
}
