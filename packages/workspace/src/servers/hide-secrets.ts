import { findClearSecrets, type ServerConfig } from '@errand/host';

/** An entry for a screen: values of variables and headers that look like secrets in the clear are hidden. */
export function hideSecrets(server: ServerConfig): ServerConfig {
  const { localConfig, dockerConfig, httpConfig, sseConfig } = server;
  return {
    ...server,
    ...(localConfig && { localConfig: hideIn(localConfig) }),
    ...(dockerConfig && { dockerConfig: hideIn(dockerConfig) }),
    ...(httpConfig && { httpConfig: hideIn(httpConfig) }),
    ...(sseConfig && { sseConfig: hideIn(sseConfig) }),
  };
}

type Texts = Readonly<Record<string, string>>;

function hideIn<Config extends { readonly env?: Texts; readonly headers?: Texts }>(
  config: Config,
): Config {
  const { env, headers } = config;
  return {
    ...config,
    ...(env && { env: hideValues(env) }),
    ...(headers && { headers: hideValues(headers) }),
  };
}

function hideValues(values: Texts): Texts {
  const hidden = findClearSecrets(values).map((name) => [name, '[hidden]'] as const);
  return { ...values, ...Object.fromEntries(hidden) };
}
