import { ollamaChatModel } from '../../shared/ollama-chat.ts';

/** The older type, for completion models: the server adapts the messages to the model. */
export const lmOllama = ollamaChatModel('lm-ollama', 'Ollama Model');
