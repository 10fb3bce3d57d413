import {
  type ExecuteContext,
  errorMessage,
  isNodeOperationError,
  type JsonObject,
  NodeOperationError,
  type NodeType,
} from '@sluice/node-sdk';
import { choiceParameter, objectParameter, textParameter } from '../../shared/parameters.ts';
import { choice, choices, text, where } from '../../shared/properties.ts';

const defaultMessage = 'the workflow was stopped by a Stop and Error node';
const authorsHint = 'The workflow stops itself here: check the path to this node';

/**
 * Ends the execution with an error that the author defines, unless the node is set to continue.
 * Every error from this node has the code `STOP_AND_ERROR`, which the engine never retries.
 */
export const stopAndError: NodeType = {
  description: {
    displayName: 'Stop and Error',
    name: 'stop-and-error',
    group: ['input'],
    version: 1,
    description: 'Stops the execution with an error, unless its error settings let the execution continue',
    defaults: { name: 'Stop and Error' },
    inputs: ['main'],
    outputs: [],
    computesOnly: true,
    properties: [
      choice('errorType', 'Error Type', choices(['errorMessage', 'Error Message'], ['errorObject', 'Error Object']), {
        description: 'Whether the error is a message or an object with details',
      }),
      text('errorMessage', 'Error Message', 'Message of the execution’s error', {
        required: true,
        ...where({ errorType: ['errorMessage'] }),
      }),
      {
        displayName: 'Error Object',
        name: 'errorObject',
        type: 'json',
        default: '',
        required: true,
        ...where({ errorType: ['errorObject'] }),
        description:
          'An object that becomes the details of the error; its `message`, or `description`, or `error`, is the message',
      },
    ],
    icon: 'fa:exclamation-triangle',
    iconColor: 'red',
  },
  execute(context) {
    const { message, details, description } = readError(context);
    throw new NodeOperationError(message || defaultMessage, { itemIndex: 0, details, description }, 'STOP_AND_ERROR');
  },
};

interface AuthorsError {
  message: string;
  details?: JsonObject;
  description: string;
}

/** The author's error, or the problem with its parameters. */
function readError(context: ExecuteContext): AuthorsError {
  try {
    const type = choiceParameter(context, 'errorType', 0, ['errorMessage', 'errorObject'], 'errorMessage');
    if (type === 'errorMessage') return { message: textParameter(context, 'errorMessage', 0), description: authorsHint };
    const details = objectParameter(context, 'errorObject', 0);
    return { message: messageOf(details), details, description: authorsHint };
  } catch (error) {
    const description = isNodeOperationError(error) ? error.description : undefined;
    return { message: errorMessage(error), description: description ?? 'Check the parameters of the node' };
  }
}

function messageOf(details: JsonObject): string {
  const texts = [details['message'], details['description'], details['error']].filter((value) => typeof value === 'string');
  return texts[0] ?? JSON.stringify(details);
}
