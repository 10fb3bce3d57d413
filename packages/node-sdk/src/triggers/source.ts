import type { JsonObject } from '@sluice/domain';
import type { BinaryAccess } from '../access/binary.ts';
import type { SharedDataAccess } from '../access/stored-data.ts';
import type { ExecuteContext } from '../context.ts';

/**
 * Common context of polls and listeners, while their workflow is active. There is no execution and
 * there are no items: parameters are resolved at the start, their expressions can use only the
 * workflow, `$vars`, and `$env`, and the item index of `parameter`, `credentials`, and
 * `authentication` is 0. The errors are the same as in `ExecuteContext`.
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
   * The node's position in its source (such as an ID or a time); `undefined` at first. It survives
   * deactivation. Reset when the node's type, parameters (except the poll times), or credentials
   * change in the active version.
   */
  readonly cursor: Readonly<JsonObject> | undefined;
  readonly sharedData?: SharedDataAccess | undefined;
  /**
   * Stores files for items; `open` reads them until an execution starts. An execution that starts
   * with such an item then owns its file. Other files are deleted later.
   */
  readonly binary: Pick<BinaryAccess, 'store'> & Partial<Pick<BinaryAccess, 'open'>>;
  /** Same as in a run; absent if there are no expressions. */
  readonly evaluateText?: ExecuteContext['evaluateText'];
}
