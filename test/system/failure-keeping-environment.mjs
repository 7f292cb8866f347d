// Node, for tests, where a suite can ask whether a test of it has failed: `globalThis.hasFailed`.
import { TestEnvironment } from 'jest-environment-node';

export default class FailureKeepingEnvironment extends TestEnvironment {
  handleTestEvent({ name }) {
    if (/^(test_fn|hook)_failure$/.test(name)) this.global.hasFailed = true;
  }
}
