"""Emission of simulators: an encoder whose program comes in the sequence, as a torch module that lays out its tokens.

Main definitions: `emit_simulator`, `simulator_name`, `simulator_command`.
"""

from symut.emitter.simulators.build import Simulated, emit_simulator
from symut.emitter.simulators.names import simulator_command, simulator_name

__all__ = ["Simulated", "emit_simulator", "simulator_command", "simulator_name"]
