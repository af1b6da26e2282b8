import { PegboardError } from '../errors.ts';
import { inheritedVariables } from '../platform/variables.ts';

/** Variables that decide which code a loader, a shell or an interpreter runs. */
const steering = new RegExp(
  `^(?:${[
    'PATH|CDPATH|IFS|ENV|BASH_ENV|BASHOPTS|SHELLOPTS|BASH_FUNC_.*|PS[0-4]|PROMPT_COMMAND|GLOBIGNORE|POSIXLY_CORRECT',
    'LD_.*|DYLD_.*|GLIBC_.*|GCONV_PATH|LOCPATH|NLSPATH|MALLOC_.*|OPENSSL_CONF|OPENSSL_MODULES|OPENSSL_ENGINES',
    'NODE_.*|npm_config_.*|DENO_.*|BUN_.*|PYTHON.*|PERL.*|RUBY.*|GEM_.*|BUNDLE_.*|LUA_.*|PHPRC|PHP_INI_SCAN_DIR|CLASSPATH|_?JAVA_.*|JDK_.*|R_.*',
    'GIT_.*|SSH_ASKPASS|.*EDITOR|VISUAL|.*PAGER|BROWSER|LESSOPEN|LESSCLOSE|MAKEFLAGS|MFLAGS|AWKPATH|AWKLIBPATH|TERMINFO.*|TERMCAP',
    'PEG_RUN|_peg\\d+',
  ].join('|')})$`,
);

/** Names of the same families that only contain data and are commonly set. */
const harmless =
  /^(?:NODE_ENV|NODE_NO_WARNINGS|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONIOENCODING|PYTHONUTF8|PYTHONHASHSEED|PYTHONWARNINGS|GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)|GIT_TERMINAL_PROMPT|JAVA_HOME)$/;

/** True for a name that could choose code to run (PATH, LD_PRELOAD, NODE_OPTIONS …). No manifest may set it. */
export function isSteeringVariable(name: string): boolean {
  return steering.test(name) && !harmless.test(name);
}

/**
 * The environment of a child: a short list of the host's own variables, of which `env` has all, and `extra`. Throws
 * PEG_CONFIG for a name in `extra` that affects loaders or shells.
 */
export function childEnvironment(
  env: Readonly<NodeJS.ProcessEnv>,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const environment = inheritedVariables('command', env);
  for (const [name, value] of Object.entries(extra)) {
    if (isSteeringVariable(name))
      throw new PegboardError(
        'PEG_CONFIG',
        `The environment variable ${name} decides which code runs, so it can't be set for a command. Set it inside a script that the command starts.`,
      );
    environment[name] = value;
  }
  return environment;
}
