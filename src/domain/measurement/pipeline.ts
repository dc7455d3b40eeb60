import type { Facts } from './environment-diff.js';

/** What a job of a pipeline says of itself. */
export interface Pipeline {
  readonly commit: string | null;
  readonly imageDigest: string | null;
  /** `ci.provider`, `ci.branch`, `ci.pipeline`, `ci.job`: none of them changes what is measured. */
  readonly facts: Facts;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The pipeline by the variables that GitHub Actions and GitLab set in their jobs, or null outside of any. Of a pull request
 * GITHUB_SHA is the merge that was built, and GITHUB_HEAD_REF the branch.
 */
export function pipelineOf(env: Environment): Pipeline | null {
  const has = (name: string) => (env[name] ?? '') !== '' && env[name] !== 'false';
  if (has('GITHUB_ACTIONS')) return gitHub(env);
  if (has('GITLAB_CI')) return gitLab(env);
  return has('CI') ? { commit: null, imageDigest: null, facts: {} } : null;
}

function gitHub(env: Environment): Pipeline {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  return {
    commit: env.GITHUB_SHA || null,
    imageDigest: null,
    facts: known({
      'ci.provider': 'github',
      'ci.branch': env.GITHUB_HEAD_REF || env.GITHUB_REF_NAME,
      'ci.pipeline': server && repository && run ? `${server}/${repository}/actions/runs/${run}` : undefined,
      'ci.job': env.GITHUB_JOB,
    }),
  };
}

function gitLab(env: Environment): Pipeline {
  return {
    commit: env.CI_COMMIT_SHA || null,
    imageDigest: /@(sha256:[0-9a-f]{64})$/.exec(env.CI_JOB_IMAGE ?? '')?.[1] ?? null,
    facts: known({
      'ci.provider': 'gitlab',
      'ci.branch': env.CI_MERGE_REQUEST_SOURCE_BRANCH_NAME || env.CI_COMMIT_REF_NAME,
      'ci.pipeline': env.CI_PIPELINE_URL,
      'ci.job': env.CI_JOB_NAME,
    }),
  };
}

function known(facts: Readonly<Record<string, string | undefined>>): Facts {
  return Object.fromEntries(
    Object.entries(facts).flatMap(([key, value]) => (value === undefined || value === '' ? [] : [[key, value]])),
  );
}
