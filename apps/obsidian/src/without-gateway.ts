// Stands in the bundle for `@ai-sdk/gateway`, a service that the AI SDK asks for models which are only
// named. Ours are always made from the settings, and the service would be a tenth of the bundle.

export class GatewayError extends Error {
  static isInstance(): boolean {
    return false;
  }
}

export class GatewayAuthenticationError extends GatewayError {}

export function createGateway(): never {
  throw new Error('There is no gateway here.');
}

export const gateway = undefined;
