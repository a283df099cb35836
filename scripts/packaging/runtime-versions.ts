/**
 * The parts of the Electron that package.json pins. Its package does not name them, and the runtime of another system
 * cannot be asked: docs/build/releasing.md says where they come from. A specification compares them with the runtime.
 */
export const runtimeVersions = { electron: '45.4.1', chromium: '156.0.8078.100', node: '24.21.0' } as const;
