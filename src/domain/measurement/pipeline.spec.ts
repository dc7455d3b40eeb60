import { describe, expect, it } from '@jest/globals';
import { pipelineOf } from './pipeline.js';

describe('pipelineOf', () => {
  it('is null outside of a pipeline', () => {
    expect(pipelineOf({})).toBeNull();
    expect(pipelineOf({ CI: 'false' })).toBeNull();
  });

  it('reads the variables of GitLab, with the digest of the image', () => {
    const digest = `sha256:${'a1'.repeat(32)}`;
    const job = {
      GITLAB_CI: 'true',
      CI_COMMIT_SHA: 'c0ffee',
      CI_COMMIT_REF_NAME: 'main',
      CI_PIPELINE_URL: 'https://gitlab.example.org/p/-/pipelines/7',
      CI_JOB_NAME: 'bench',
      CI_JOB_IMAGE: `registry/app@${digest}`,
    };
    expect(pipelineOf(job)).toEqual({
      commit: 'c0ffee',
      imageDigest: digest,
      facts: {
        'ci.provider': 'gitlab',
        'ci.branch': 'main',
        'ci.pipeline': 'https://gitlab.example.org/p/-/pipelines/7',
        'ci.job': 'bench',
      },
    });
    expect(pipelineOf({ ...job, CI_JOB_IMAGE: 'app:1' })?.imageDigest).toBeNull();
  });

  it('knows of another pipeline no more than that it is one', () => {
    expect(pipelineOf({ CI: 'true' })).toEqual({ commit: null, imageDigest: null, facts: {} });
  });
});
