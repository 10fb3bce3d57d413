import vm from 'node:vm';
import { TestEnvironment as NodeEnvironment } from 'jest-environment-node';

/**
 * Jest's environment for Node, in a plain context. In the kind of context that Jest makes, each access to a
 * global (`Array`, `Math`, `Buffer`) calls an interceptor, which takes a hundred times as long.
 */
export default class PlainContextEnvironment extends NodeEnvironment {
  constructor(...args: ConstructorParameters<typeof NodeEnvironment>) {
    const { createContext } = vm;
    let made = 0;
    vm.createContext = () => {
      made += 1;
      return createContext(vm.constants.DONT_CONTEXTIFY);
    };
    try {
      super(...args);
    } finally {
      vm.createContext = createContext;
    }
    if (made !== 1) throw new Error('this version of jest-environment-node makes its context in another way');
  }
}
