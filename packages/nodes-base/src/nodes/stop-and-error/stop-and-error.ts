import { type ExecuteContext, errorMessage, type JsonObject, NodeOperationError, type NodeType } from '@sluice/node-sdk';
import { choiceParameter, objectParameter, textParameter } from '../../shared/parameters.ts';

const defaultMessage = 'the workflow was stopped by a Stop and Error node';

/**
 * Ends the execution with an error of the author's making. The code `STOP_AND_ERROR` tells the engine to stop whatever `onError` says,
 * so everything that goes wrong here carries it too.
 */
export const stopAndError: NodeType = {
  description: {
    displayName: 'Stop and Error',
    name: 'stop-and-error',
    group: ['input'],
    version: 1,
    description: 'Stops the execution with an error; its error settings do not keep it from that',
    defaults: { name: 'Stop and Error' },
    inputs: ['main'],
    outputs: [],
    properties: [
      {
        displayName: 'Error Type',
        name: 'errorType',
        type: 'options',
        default: 'errorMessage',
        options: [
          { name: 'Error Message', value: 'errorMessage' },
          { name: 'Error Object', value: 'errorObject' },
        ],
        description: 'Whether the error is a message or an object with more about it',
      },
      {
        displayName: 'Error Message',
        name: 'errorMessage',
        type: 'string',
        default: '',
        required: true,
        displayOptions: { show: { errorType: ['errorMessage'] } },
        description: 'The message of the execution’s error',
      },
      {
        displayName: 'Error Object',
        name: 'errorObject',
        type: 'json',
        default: '',
        required: true,
        displayOptions: { show: { errorType: ['errorObject'] } },
        description:
          'An object that becomes the details of the error; its `message`, or `description`, or `error`, is the message',
      },
    ],
    icon: 'fa:exclamation-triangle',
    iconColor: 'red',
  },
  execute(context) {
    const { message, details } = readError(context);
    throw new NodeOperationError(message || defaultMessage, { details }, 'STOP_AND_ERROR');
  },
};

function readError(context: ExecuteContext): { message: string; details?: JsonObject } {
  try {
    const type = choiceParameter(context, 'errorType', 0, ['errorMessage', 'errorObject'], 'errorMessage');
    if (type === 'errorMessage') return { message: textParameter(context, 'errorMessage', 0) };
    const details = objectParameter(context, 'errorObject', 0);
    return { message: messageOf(details), details };
  } catch (error) {
    return { message: errorMessage(error) };
  }
}

function messageOf(details: JsonObject): string {
  const texts = [details['message'], details['description'], details['error']].filter((value) => typeof value === 'string');
  return texts[0] ?? JSON.stringify(details);
}
