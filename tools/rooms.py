"""Which tests look at a file: those of the first entry that its path begins with, likely and quick
tests first. tools/mutate.py plants faults and runs them; tools/check.py, which is
`make check`, runs them for the files that have changed.
"""
GPU = ('cuda_board cuda_in_place cuda_plans cuda_tune universe_on_emulated_gpu engines_on_emulated_gpu '
       'audit_on_emulated_gpu checkpoint_on_emulated_gpu cuda_engine laws_on_emulated_gpu')
FILES = 'pattern pattern_reject pattern_write cells known golly cli'
VIEWER = ('viewer_deflater viewer_clip viewer_edits viewer_library viewer_pace viewer_stage '
          'viewer_cone viewer_link viewer_saving viewer_entry viewer_server viewer_hostile viewer_greed view')
ROOMS = [
    ('src/base/cache', 'cache network context'),
    ('src/base/context', 'context modules cuda_context universe'),
    ('src/base/', 'base context grid rule universe cells checkpoint pattern_write engines watch '
                  'levels device kernel_cache cli'),
    ('src/logic/', 'network levels engines'),
    ('src/rule/topology', 'rule topology pattern cli golly'),
    ('src/rule/', 'rule network pattern cli golly'),
    ('src/grid/unfold', 'topology guest_edges sparse_surfaces'),
    ('src/grid/topology', 'topology engines laws universe audit'),
    ('src/grid/tones', 'grid audit tiles'),
    ('src/grid/', 'soup grid topology cells universe audit engines'),
    ('src/device/kernel_cache', 'kernel_cache device emulated_cuda'),
    ('src/device/gpu_', 'bench_guest charts device'),
    ('src/device/', 'device device_memory modules cuda_context kernel_cache emulated_cuda cuda_engine '
                   'universe_on_emulated_gpu'),
    ('src/file/apng', 'film cli_film'),
    ('src/file/', 'output gzip_writer ' + FILES),
    ('src/pattern/timeline', 'timeline'),
    ('src/pattern/macrocell', 'macrocell timeline ' + FILES),
    ('src/pattern/', FILES),
    ('src/quadtree/', 'store hashlife wide macrocell pattern_spans soups_of_shared_hashlife'),
    ('src/engine/cuda/tune', 'cuda_tune cuda_plans cuda_engine'),
    ('src/engine/cuda/kept_plan', 'cuda_tune cuda_plans cuda_engine'),
    ('src/engine/cuda/bands', 'cuda_in_place engines_in_place_on_emulated_gpu'),
    ('src/engine/cuda/plan_choice', 'cuda_in_place cuda_plans cuda_tune'),
    ('src/engine/cuda/plan', 'cuda_plans cuda_tune cuda_board engines_on_emulated_gpu'),
    ('src/engine/cuda/slabs', 'cuda_context laws_on_emulated_gpus engines_on_emulated_gpu'),
    ('src/engine/cuda/', GPU),
    ('src/engine/hashlife/', 'hashlife hashlife_torus wide soups_of_shared_hashlife macrocell'),
    ('src/engine/guest/', 'guest guest_edges gallery bench_guest'),
    ('src/engine/scalar/', 'engines cells universe laws levels'),
    ('src/engine/simd/squares', 'audit tiles watch levels'),
    ('src/engine/simd/tiles', 'tiles watch audit'),
    ('src/level/window', 'windows sparse'),
    ('src/level/', 'levels windows laws engines'),
    ('src/engine/simd/', 'levels tiles watch audit laws universe engines'),
    ('src/engine/sparse/', 'sparse sparse_surfaces sparse_sleep sparse_facts sparse_soups sparse_limits '
                          'own'),
    ('src/engine/', 'engines universe guest'),
    ('src/universe/checkpoint', 'wide checkpoint checkpoint_parts own cli'),
    ('src/universe/audit', 'audit cli'),
    ('src/universe/load', 'soup cells known universe pattern cli golly'),
    ('src/cover/split', 'laws_on_blocks engines'),
    ('src/cover/settling', 'settling cuda_engine'),
    ('src/cover/unfold', 'guest_edges laws_on_blocks engines'),
    ('src/cover/', 'block own universe cells cuda_engine watch checkpoint audit guest'),
    ('src/universe/recorder', 'timeline'),
    ('src/universe/film', 'film cli_film'),
    ('src/universe/save', 'own pattern_write universe cli'),
    ('src/universe/far_picture', 'wide'),
    ('src/universe/counts', 'audit tiles watch'),
    ('src/universe/', 'universe cells soup watch checkpoint audit bench cli'),
    ('kernels/', GPU + ' grid topology'),
    ('gallery/', 'gallery gallery_on_emulated_gpu cli'),
    ('viewer/hub', 'viewer_hub viewer_server viewer_greed viewer_hostile viewer_edits view'),
    ('viewer/', VIEWER),
    ('tests/oracle', 'oracle'),
    ('bench/', 'charts bench bench_guest cli'),
    ('cli/number', 'cli_number cli'),
    ('cli/', 'cli cli_number view bench'),
    ('include/lightcone/count', 'count universe exported_names'),
    ('include/lightcone/rule', 'rule rule_values exported_names'),
    ('include/lightcone/pattern', 'exported_names ' + FILES),
    ('include/', 'universe cells cli exported_names'),
    ('patterns/', 'pattern_facts viewer_library cli_names'),
    ('tests/measure', 'run_tests'),
    ('tools/run-tests', 'run_tests'),
    ('tools/check-layers', 'layers layers_can_fail'),
    ('tools/check-style', 'style_can_fail'),
    ('tools/check-exports', 'exported_names'),
    ('tools/check-install', 'install'),
    ('tools/check.py', 'check'),
    ('tools/rooms', 'check'),
    ('tools/install-deps', 'install_deps'),
    ('tools/steps', 'ci_records'),
    ('tools/records', 'ci_records'),
    ('.ci/', 'ci_records'),
    ('README.md', 'readme'),
    ('docs/formats.md', 'readme'),
    ('docs/rules.md', 'readme'),
]


def tests_of(path):
    """The names of the tests that look at a file, in order; [] if the table has no entry."""
    return next((names.split() for begin, names in ROOMS if path.startswith(begin)), [])
